import { judgePayment, parsePaymentHeader, tokenDomain, typedTransfer } from '@guildhall/protocol'
import { expect, test } from 'vitest'
import { signPayment } from './sign-payment.ts'

const terms = {
  scheme: 'exact' as const,
  network: 'eip155:8453',
  amount: '5000000',
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  payTo: `0x${'12'.repeat(20)}`,
  maxTimeoutSeconds: 3600,
  extra: { name: 'USD Coin', version: '2' },
}
const payer = `0x${'ab'.repeat(20)}`
const now = Date.UTC(2026, 0, 31)

type Call = { readonly method: string; readonly params?: readonly unknown[] }

async function signed() {
  const calls: Call[] = []
  const provider = {
    async request(call: Call) {
      calls.push(call)
      return `0x${'cd'.repeat(65)}`
    },
  }
  const header = await signPayment(provider, payer, terms, now)
  const [signer, text] = (calls[0]?.params ?? []) as readonly string[]
  return { header, calls, signer, typed: JSON.parse(text ?? '') }
}

test('the header is a payment that the service finds nothing wrong with', async () => {
  const { header } = await signed()
  const parsed = parsePaymentHeader(header)
  if ('problem' in parsed) throw new Error(parsed.problem)
  expect(parsed.payload).toMatchObject({ accepted: terms, signature: `0x${'cd'.repeat(65)}` })
  expect(judgePayment({ payment: parsed.payload, requirements: terms, now })).toBeNull()
})

test('the wallet is asked once, to sign the very transfer that the service checks', async () => {
  const { header, calls, signer, typed } = await signed()
  const parsed = parsePaymentHeader(header)
  if ('problem' in parsed) throw new Error(parsed.problem)
  const expected = typedTransfer(parsed.payload.authorization, tokenDomain({ ...terms, ...terms.extra }))
  expect(calls.map(({ method }) => method)).toEqual(['eth_signTypedData_v4'])
  expect(signer).toBe(payer)
  expect(typed.primaryType).toBe(expected.primaryType)
  expect(typed.types.TransferWithAuthorization).toEqual(expected.types.TransferWithAuthorization)
  expect({ ...typed.domain, verifyingContract: typed.domain.verifyingContract.toLowerCase() }).toEqual(expected.domain)
  const texts = Object.fromEntries(Object.entries(expected.message).map(([name, value]) => [name, String(value)]))
  expect(typed.message).toEqual(texts)
})

test('every payment has a nonce of its own', async () => {
  const nonces = await Promise.all([1, 2, 3].map(async () => (await signed()).typed.message.nonce))
  expect(new Set(nonces).size).toBe(3)
  for (const nonce of nonces) expect(nonce).toMatch(/^0x[0-9a-f]{64}$/)
})
