import { chainIdOf, type Terms } from './terms.ts'
import type { Provider } from './wallets.ts'

type Authorization = {
  readonly from: string
  readonly to: string
  readonly value: string
  readonly validAfter: string
  readonly validBefore: string
  readonly nonce: string
}

/** Has the wallet sign the transfer that the terms ask for, and writes the PAYMENT-SIGNATURE header (x402 v2). */
export async function signPayment(provider: Provider, payer: string, terms: Terms, now: number): Promise<string> {
  const authorization: Authorization = {
    from: payer,
    to: terms.payTo,
    value: terms.amount,
    validAfter: '0',
    validBefore: String(Math.floor(now / 1000) + terms.maxTimeoutSeconds),
    nonce: randomHex(32),
  }
  const signature = await provider.request({
    method: 'eth_signTypedData_v4',
    params: [payer, JSON.stringify(typedTransfer(authorization, terms))],
  })
  return base64Of({ x402Version: 2, accepted: terms, payload: { signature, authorization } })
}

const field = (name: string, type: string) => ({ name, type })

/** An EIP-3009 transfer as a wallet takes it: with the type of its domain spelt out. */
export const typedTransfer = (message: Authorization, terms: Terms) => ({
  types: {
    EIP712Domain: [
      field('name', 'string'),
      field('version', 'string'),
      field('chainId', 'uint256'),
      field('verifyingContract', 'address'),
    ],
    TransferWithAuthorization: [
      field('from', 'address'),
      field('to', 'address'),
      field('value', 'uint256'),
      field('validAfter', 'uint256'),
      field('validBefore', 'uint256'),
      field('nonce', 'bytes32'),
    ],
  },
  primaryType: 'TransferWithAuthorization',
  domain: { ...terms.extra, chainId: chainIdOf(terms), verifyingContract: terms.asset },
  message,
})

export function randomHex(bytes: number): string {
  const random = crypto.getRandomValues(new Uint8Array(bytes))
  return `0x${[...random].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

const base64Of = (value: unknown): string =>
  btoa(String.fromCodePoint(...new TextEncoder().encode(JSON.stringify(value))))
