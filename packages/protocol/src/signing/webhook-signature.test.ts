import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseWebhookSecret, webhookProblem, webhookSecretText, webhookSignature } from './webhook-signature.ts'

/** Any characters, be they letters, controls or none at all. */
const character = fc.nat(0x10f7ff).map((code) => String.fromCodePoint(code < 0xd800 ? code : code + 0x800))

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const content = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1_614_265_330, body: '{"test": 2432232314}' }
const signature = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='

const keyOf = (text: string): Uint8Array => {
  const key = parseWebhookSecret(text)
  if (key === null) throw new Error('not a secret')
  return key
}

test('the example of the Standard Webhooks rules is signed as they say', () => {
  expect(webhookSignature([keyOf(secret)], content)).toBe(signature)
  expect(webhookSecretText(keyOf(secret))).toBe(secret)
})

test('two secrets make two signatures, and either is enough', () => {
  const both = webhookSignature([new Uint8Array(32), keyOf(secret)], content)
  expect(both.split(' ')[1]).toBe(signature)
  const headers = { 'webhook-id': content.id, 'webhook-timestamp': '1614265330', 'webhook-signature': both }
  expect(webhookProblem({ secret, headers, body: content.body, nowMs: 1_614_265_330_000 })).toBeNull()
})

test.each(['', 'whsec_', 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'whsec_not base64'])('%s is no secret', (text) => {
  expect(parseWebhookSecret(text)).toBeNull()
})

test('any headers are judged, and only the signature of this very content counts', () => {
  const key = keyOf(secret)
  const texts = fc.option(
    fc.oneof(fc.string({ unit: character }), fc.constantFrom('v1,', 'v1,AAAA', '1', '1800000000')),
  )
  fc.assert(
    fc.property(texts, texts, texts, fc.string(), (id, time, signatures, body) => {
      const headers = { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signatures }
      expect(webhookProblem({ secret, headers, body, nowMs: 1.8e12 })).not.toBeNull()
    }),
  )
  fc.assert(
    fc.property(fc.string(), fc.string(), (body, other) => {
      const signature = webhookSignature([key], { id: 'evt_1', timestamp: 1_800_000_000, body })
      const headers = { 'webhook-id': 'evt_1', 'webhook-timestamp': '1800000000', 'webhook-signature': signature }
      const problem = webhookProblem({ secret, headers, body: other, nowMs: 1.8e12 })
      expect(problem).toBe(body === other ? null : 'signature_mismatch')
    }),
  )
})
