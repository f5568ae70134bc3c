import { expect, test } from 'vitest'
import { standingOf } from './standing.ts'

const limit = { name: 'messages', per: 'agent', counts: 'done', points: 10, windowMs: 3_600_000 } as const
const NOON = Date.UTC(2026, 0, 31, 12)
const endsAt = NOON + limit.windowMs

test('as many pass as the limit has points, and the rest is told when the window ends', () => {
  expect(standingOf(limit, { hits: 1, endsAt }, NOON)).toEqual({ allowed: true, remaining: 9, resetSeconds: 3_600 })
  expect(standingOf(limit, { hits: 10, endsAt }, NOON + 500)).toEqual({
    allowed: true,
    remaining: 0,
    resetSeconds: 3_600,
  })
  expect(standingOf(limit, { hits: 12, endsAt }, NOON + 1_000)).toEqual({
    allowed: false,
    remaining: 0,
    resetSeconds: 3_599,
  })
})

test('the time to wait is never zero', () => {
  expect(standingOf(limit, { hits: 11, endsAt }, endsAt - 1).resetSeconds).toBe(1)
  expect(standingOf(limit, { hits: 11, endsAt }, endsAt).resetSeconds).toBe(1)
})
