import { describe, expect, test } from 'vitest'
import { judgeKey, type KeyRecord, type RepeatKey } from './held-key.ts'

const bytes = (byte: number) => new Uint8Array(32).fill(byte)
const NOW = 1_000_000
const key: RepeatKey = { id: bytes(1), request: bytes(2), payment: bytes(3) }
const running: KeyRecord = {
  request: bytes(2),
  payment: bytes(3),
  leaseUntil: NOW + 1,
  committed: false,
  answer: null,
}
const committed = { ...running, committed: true }
const answered = { ...committed, answer: bytes(9) }
const lapsed = { leaseUntil: NOW }

describe('a key on record', () => {
  test.each<[string, KeyRecord, string]>([
    ['is running while its lease lasts', running, 'running'],
    ['is running while its lease lasts, also after the change', committed, 'running'],
    ['is free once the lease of an attempt that wrote nothing is over', { ...running, ...lapsed }, 'free'],
    ['has lost its answer when the lease ends after the change', { ...committed, ...lapsed }, 'answer lost'],
    ['has an answer', answered, 'answered'],
    ['has an answer for good', { ...answered, ...lapsed }, 'answered'],
    ['has an answer though nothing was marked', { ...answered, committed: false, ...lapsed }, 'answered'],
  ])('%s', (_, record, verdict) => {
    expect(judgeKey(record, key, NOW)).toBe(verdict)
  })

  test.each([running, committed, answered])('is another request’s when body or payment differ', (record) => {
    expect(judgeKey(record, { ...key, request: bytes(4) }, NOW)).toBe('other request')
    expect(judgeKey(record, { ...key, payment: bytes(4) }, NOW)).toBe('other request')
  })

  test.each([committed, answered])('is another request’s when that was carried out without the payment', (record) => {
    expect(judgeKey({ ...record, payment: null }, key, NOW)).toBe('other request')
  })

  test('is running while the try that asked for the price still holds it', () => {
    expect(judgeKey({ ...running, payment: null }, key, NOW)).toBe('running')
  })

  test('is free for any request once an attempt that wrote nothing has lapsed', () => {
    expect(judgeKey({ ...running, ...lapsed }, { ...key, request: bytes(4) }, NOW)).toBe('free')
  })

  test('is the same request’s while that has not been paid again', () => {
    expect(judgeKey(answered, { ...key, payment: null }, NOW)).toBe('answered')
    expect(judgeKey(running, { ...key, payment: null }, NOW)).toBe('running')
  })
})
