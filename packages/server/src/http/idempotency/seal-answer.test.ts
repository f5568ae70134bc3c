import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { answerKey, openAnswer, sealAnswer } from './seal-answer.ts'

const secret = randomBytes(32)
const request = randomBytes(32)
const answer = { status: 200, headers: { 'PAYMENT-RESPONSE': 'e30=' }, text: '{"token":"gmt_secret"}' }

test('a sealed answer opens with the same key, request and service only', () => {
  const sealed = sealAnswer(answerKey(secret, 'my-key-1', request), answer)
  expect(openAnswer(answerKey(secret, 'my-key-1', request), sealed)).toEqual(answer)
  const others = [
    answerKey(secret, 'my-key-2', request),
    answerKey(secret, 'my-key-1', randomBytes(32)),
    answerKey(randomBytes(32), 'my-key-1', request),
  ]
  for (const other of others) expect(() => openAnswer(other, sealed)).toThrow()
})

test('what is sealed says nothing, not even that it was sealed before', () => {
  const key = answerKey(secret, 'my-key-1', request)
  const [first, second] = [sealAnswer(key, answer), sealAnswer(key, answer)]
  expect(first.equals(second)).toBe(false)
  expect(first.includes('gmt_secret')).toBe(false)
})

test('a sealed answer that was meddled with does not open', () => {
  const key = answerKey(secret, 'my-key-1', request)
  const sealed = sealAnswer(key, answer)
  for (const place of [0, 20, sealed.length - 1]) {
    const changed = Buffer.from(sealed)
    changed[place] = (changed[place] ?? 0) ^ 1
    expect(() => openAnswer(key, changed)).toThrow()
  }
})
