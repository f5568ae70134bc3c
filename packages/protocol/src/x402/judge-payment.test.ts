import { describe, expect, test } from 'vitest'
import { judgePayment } from './judge-payment.ts'
import { type PaymentPayload, parsePaymentHeader } from './payment-payload.ts'
import { paymentRequirements } from './payment-required.ts'

const now = 1_800_000_000_500
const second = 1_800_000_000
const requirements = paymentRequirements({
  network: 'eip155:8453',
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  domain: { name: 'USD Coin', version: '2' },
  payTo: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  amount: 5_000_000n,
})
const stranger = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'

const pay = (accepted: object, over: object = {}): PaymentPayload => {
  const authorization = {
    from: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    to: requirements.payTo,
    value: requirements.amount,
    validAfter: '0',
    validBefore: String(second + 3600),
    nonce: `0x${'11'.repeat(32)}`,
    ...over,
  }
  const payment = { x402Version: 2, accepted, payload: { signature: `0x${'11'.repeat(65)}`, authorization } }
  const parsed = parsePaymentHeader(JSON.stringify(payment))
  if ('problem' in parsed) throw new Error(parsed.problem)
  return parsed.payload
}
const judge = (accepted: object, over: object = {}) => judgePayment({ payment: pay(accepted, over), requirements, now })

describe('a payment', () => {
  test('that accepts what was offered holds', () => {
    expect(judge(requirements)).toBeNull()
  })

  test('compares addresses without regard to case', () => {
    const { asset, payTo } = requirements
    const lower = { ...requirements, asset: asset.toLowerCase(), payTo: payTo.toLowerCase() }
    expect(judge(lower, { to: payTo.toLowerCase() })).toBeNull()
  })

  test('may say null of a field that was not offered', () => {
    expect(
      judge({ ...requirements, outputSchema: null, extra: { ...requirements.extra, paymentFlow: null } }),
    ).toBeNull()
  })

  test.each([
    ['another scheme', { scheme: 'upto' }],
    ['another network', { network: 'eip155:137' }],
    ['the network written otherwise', { network: 'eip155:08453' }],
    ['another token', { asset: stranger }],
    ['no token', { asset: undefined }],
    ['another time', { maxTimeoutSeconds: 60 }],
    ['the time as text', { maxTimeoutSeconds: '3600' }],
    ['another domain', { extra: { name: 'USDC', version: '2' } }],
    ['no domain', { extra: undefined }],
    ['another way of transfer', { extra: { ...requirements.extra, assetTransferMethod: 'permit2' } }],
    ['a field that was not offered', { tip: '1' }],
  ])('that accepts %s is a requirements_mismatch', (_, over) => {
    expect(judge({ ...requirements, ...over })?.reason).toBe('requirements_mismatch')
  })

  test('of a mismatch shows the field, what was offered and what came', () => {
    expect(judge({ ...requirements, network: 'eip155:137' })).toEqual({
      reason: 'requirements_mismatch',
      expected: 'network: eip155:8453',
      got: 'network: eip155:137',
    })
  })

  test('that repeats foreign text repeats little of it, in printable ASCII', () => {
    const got = judge({ ...requirements, network: `a\r\n${'é'.repeat(5_000)}` })?.got
    expect(got).toMatch(/^[\x20-\x7e]{1,120}$/)
  })

  test('to somebody else is a recipient_mismatch, in the authorization or in what it accepts', () => {
    const fault = { reason: 'recipient_mismatch', expected: requirements.payTo, got: stranger.toLowerCase() }
    expect(judge(requirements, { to: stranger })).toEqual(fault)
    expect(judge({ ...requirements, payTo: stranger.toLowerCase() })).toEqual(fault)
    expect(judge({ ...requirements, payTo: undefined })?.reason).toBe('recipient_mismatch')
  })

  test('of less or more is an amount_mismatch, in the authorization or in what it accepts', () => {
    for (const value of ['4999999', '5000001']) {
      const fault = { reason: 'amount_mismatch', expected: '5000000', got: value }
      expect(judge(requirements, { value })).toEqual(fault)
      expect(judge({ ...requirements, amount: value })).toEqual(fault)
    }
    expect(judge({ ...requirements, amount: 5_000_000 })?.reason).toBe('amount_mismatch')
  })

  test('that begins now or later is not_yet_valid', () => {
    expect(judge(requirements, { validAfter: String(second - 1) })).toBeNull()
    expect(judge(requirements, { validAfter: String(second) })?.reason).toBe('not_yet_valid')
    expect(judge(requirements, { validAfter: String(second + 300) })?.reason).toBe('not_yet_valid')
  })

  test('lives from 120 to 4200 seconds, both included', () => {
    const reasonAt = (ahead: number) => judge(requirements, { validBefore: String(second + ahead) })?.reason
    expect([120, 4200].map(reasonAt)).toEqual([undefined, undefined])
    for (const ahead of [-10, 0, 119, 4201, 90_000]) expect(reasonAt(ahead)).toBe('valid_before_out_of_range')
    expect(judge(requirements, { validBefore: String(2n ** 256n - 1n) })?.reason).toBe('valid_before_out_of_range')
  })

  test('with several faults shows the first: terms, recipient, amount, beginning, end', () => {
    const over = { to: stranger, value: '1', validAfter: String(second + 9), validBefore: '1' }
    const reasons = [
      judge({ ...requirements, scheme: 'upto' }, over),
      judge(requirements, over),
      judge(requirements, { ...over, to: requirements.payTo }),
      judge(requirements, { ...over, to: requirements.payTo, value: '5000000' }),
      judge(requirements, { validBefore: '1' }),
    ].map((fault) => fault?.reason)
    expect(reasons).toEqual([
      'requirements_mismatch',
      'recipient_mismatch',
      'amount_mismatch',
      'not_yet_valid',
      'valid_before_out_of_range',
    ])
  })
})
