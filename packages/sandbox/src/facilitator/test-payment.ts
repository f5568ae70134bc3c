import { randomBytes } from 'node:crypto'
import { ONE_USDC } from '@guildhall/protocol'
import { authorizationTypes } from '@x402/evm'
import type { Address, Hex, LocalAccount } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { usdcDomain } from '../chains/contracts.ts'
import type { Chain } from '../chains/start-chain.ts'

/** How a payment differs from the usual one. */
export type PaymentOptions = {
  readonly validAfter?: number
  readonly validBefore?: number
  /** A smart wallet that the signer owns, and how it wraps the signature. */
  readonly wallet?: { readonly address: Address; wrap(signature: Hex): Hex }
}

/** The body of a verify or settle call: one USDC to a new address, whose balance shows what moved. */
export async function signPayment(
  { network, chainId, usdc }: Pick<Chain, 'network' | 'chainId' | 'usdc'>,
  signer: LocalAccount,
  options: PaymentOptions = {},
) {
  const { validAfter = 0, validBefore = Math.floor(Date.now() / 1000) + 600, wallet } = options
  const payTo = privateKeyToAddress(generatePrivateKey())
  const message = {
    from: wallet?.address ?? signer.address,
    to: payTo,
    value: ONE_USDC,
    validAfter: BigInt(validAfter),
    validBefore: BigInt(validBefore),
    nonce: `0x${randomBytes(32).toString('hex')}` as const,
  }
  const signed = await signer.signTypedData({
    domain: { ...usdcDomain, chainId, verifyingContract: usdc },
    types: authorizationTypes,
    primaryType: 'TransferWithAuthorization',
    message,
  })
  const signature = wallet?.wrap(signed) ?? signed
  const paymentRequirements = {
    scheme: 'exact',
    network: network as `${string}:${string}`,
    amount: String(ONE_USDC),
    asset: usdc,
    payTo,
    maxTimeoutSeconds: 600,
    extra: usdcDomain,
  }
  const authorization = Object.fromEntries(Object.entries(message).map(([key, value]) => [key, String(value)]))
  const paymentPayload = { x402Version: 2, accepted: paymentRequirements, payload: { signature, authorization } }
  return { payTo, body: { x402Version: 2, paymentPayload, paymentRequirements } }
}
