import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readSettleAnswer, readVerifyAnswer } from './facilitator-verdict.ts'

const from = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
const stranger = '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc'
const txHash = `0x${'ab'.repeat(32)}`

const verify = (status: number, body: unknown) => readVerifyAnswer({ kind: 'answered', status, body }, from)
const settle = (status: number, body: unknown) => readSettleAnswer({ kind: 'answered', status, body })

describe('an answer without a clear verdict', () => {
  test.each<[string, number, unknown]>([
    ['null', 200, null],
    ['a list', 200, [{ isValid: true, success: true, payer: from, transaction: txHash }]],
    ['wrong types', 200, { isValid: 'true', success: 1, payer: from, transaction: txHash }],
    ['a stumble at verify', 500, { isValid: false, invalidReason: 'unexpected_verify_error' }],
    ['a stumble at settle', 500, { success: false, errorReason: 'unexpected_settle_error' }],
    ['an error of its own', 500, { error: 'internal', stack: 'at /srv/secret.js' }],
    ['a yes under a failing status', 500, { isValid: true, payer: from, success: true, transaction: txHash }],
    ['a no without a reason', 200, { isValid: false, success: false }],
    ['a no with an empty reason', 200, { isValid: false, invalidReason: '', success: false, errorReason: '' }],
  ])('leaves a payment unverified and its settlement unknown: %s', (_, status, body) => {
    const cause = `HTTP ${status} without a verdict`
    expect(verify(status, body)).toEqual({ kind: 'unavailable', cause })
    expect(settle(status, body)).toEqual({ kind: 'unknown', cause })
  })
})

describe('a verdict on a payment', () => {
  test('is valid only for the wallet that signed, and need not name it', () => {
    const written = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
    expect(verify(200, { isValid: true, payer: written })).toEqual({ kind: 'valid', payer: from })
    const mismatch = { kind: 'unavailable', cause: 'payer mismatch' }
    expect(verify(200, { isValid: true, payer: stranger })).toEqual(mismatch)
    for (const payer of ['', 0, {}, [stranger]]) expect(verify(200, { isValid: true, payer })).toEqual(mismatch)
    for (const unnamed of [{}, { payer: null }])
      expect(verify(200, { isValid: true, ...unnamed })).toEqual({ kind: 'valid', payer: from })
  })

  test('is a no under any status, and only its code goes on', () => {
    const reason = 'invalid_exact_evm_recipient_mismatch'
    for (const status of [200, 400, 402, 500]) {
      const invalid = { isValid: false, invalidReason: reason, invalidMessage: 'at /srv/secret.js' }
      expect(verify(status, invalid)).toEqual({ kind: 'invalid', reason })
      const failed = { success: false, errorReason: reason, errorMessage: 'at /srv/secret.js', transaction: '' }
      expect(settle(status, failed)).toEqual({ kind: 'rejected', reason })
    }
  })

  test.each([
    ['invalid_exact_evm_insufficient_balance', 'insufficient_funds'],
    ['insufficient_funds', 'insufficient_funds'],
    ['invalid_exact_evm_nonce_already_used', 'already_used'],
    ['a\r\nSet-Cookie: \u001b[1mü\u{1f3db}', 'refused_by_facilitator'],
    ['connect ECONNREFUSED postgres://app:hunter2@10.0.0.7 at /srv/verify.js:7:2', 'refused_by_facilitator'],
    ['x'.repeat(101), 'refused_by_facilitator'],
    ['x'.repeat(100), 'x'.repeat(100)],
  ])('gives its reason as a code, and never as text: %j', (said, reason) => {
    expect(verify(200, { isValid: false, invalidReason: said })).toEqual({ kind: 'invalid', reason })
    expect(settle(200, { success: false, errorReason: said })).toEqual({ kind: 'rejected', reason })
  })
})

describe('a settlement', () => {
  test('is reported with its transaction', () => {
    const transaction = txHash.replace('ab', 'AB')
    expect(settle(200, { success: true, transaction, payer: from })).toEqual({ kind: 'settled', txHash })
  })

  test('without a proper transaction hash is unknown', () => {
    for (const transaction of ['', '0x12', `${txHash}00`, null, 7]) {
      expect(settle(200, { success: true, transaction }).kind).toBe('unknown')
    }
  })

  test('may be pending, with its transaction or without, under any status', () => {
    for (const status of [200, 500]) {
      const body = { success: false, errorReason: 'settlement_pending', transaction: txHash }
      expect(settle(status, body)).toEqual({ kind: 'pending', txHash })
      expect(settle(status, { ...body, transaction: '' })).toEqual({ kind: 'pending', txHash: null })
    }
    expect(settle(202, { paymentId: 'p1' })).toEqual({ kind: 'pending', txHash: null })
  })
})

describe('whatever a facilitator says,', () => {
  const word = fc.oneof(
    fc.constantFrom(true, false, from, stranger, txHash, '', null, 'settlement_pending'),
    fc.jsonValue(),
  )
  const fields = ['isValid', 'invalidReason', 'payer', 'success', 'errorReason', 'transaction'] as const
  const bodies = fc.oneof(
    fc.jsonValue(),
    fc.record(Object.fromEntries(fields.map((name) => [name, word])), { requiredKeys: [], noNullPrototype: true }),
  )

  test('only a plain yes for this payer is one, and its reason is a short code', () => {
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 599 }), bodies, (status, body) => {
        const said = body as { isValid?: unknown; payer?: unknown; success?: unknown; transaction?: unknown } | null
        const verdict = verify(status, body)
        if (verdict.kind === 'valid')
          expect([said?.isValid, String(said?.payer ?? from).toLowerCase()]).toEqual([true, from])
        if (verdict.kind === 'invalid') expect(verdict.reason).toMatch(/^\w{1,100}$/)
        const outcome = settle(status, body)
        if (outcome.kind === 'settled') expect([said?.success, said?.transaction]).toEqual([true, outcome.txHash])
        if (outcome.kind === 'rejected') expect(outcome.reason).toMatch(/^\w{1,100}$/)
      }),
    )
  })
})
