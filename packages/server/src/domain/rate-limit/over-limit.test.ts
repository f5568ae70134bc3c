import { HOUR, SECOND } from '@guildhall/protocol'
import { expect, test } from 'vitest'
import { OverLimit } from './over-limit.ts'

const limit = { name: 'sign-in', per: 'address', counts: 'done', points: 5, windowMs: HOUR } as const

test.each([
  [1, 'in 1 second'],
  [119, 'in 119 seconds'],
  [120, 'in 2 minutes'],
  [3541, 'in 60 minutes'],
  [24 * (HOUR / SECOND), 'in 24 hours'],
])('whoever has to wait %s seconds is told so in words, because people see no headers', (seconds, words) => {
  const { message, fields } = new OverLimit(limit, seconds)
  expect(message).toBe(`Too many requests; try again ${words}.`)
  expect(fields).toEqual({ retry_after_seconds: seconds })
})

test('a limit that has words of its own keeps them', () => {
  expect(new OverLimit(limit, 60, 'Confirm one first.').message).toBe('Confirm one first.')
})
