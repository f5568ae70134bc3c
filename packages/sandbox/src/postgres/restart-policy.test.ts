import { expect, test } from 'vitest'
import { afterRun, type EndedRun } from './restart-policy.ts'

const failure = (endedAt: number): EndedRun => ({ startedAt: endedAt - 100, endedAt })
const failures = (count: number, everyMs: number) =>
  Array.from({ length: count }, (_, i) => failure(1_000 + i * everyMs))

test('a server that ran for a while is started again at once, however often', () => {
  const runs = Array.from({ length: 50 }, (_, i) => ({ startedAt: i * 3_000, endedAt: i * 3_000 + 2_500 }))
  expect(afterRun(runs, 10)).toEqual({ again: true, delayMs: 0 })
})

test('the first failure is followed by a start at once, the next ones by longer and longer pauses', () => {
  const delays = [1, 2, 3, 4, 9].map((count) => afterRun(failures(count, 10), 10))
  expect(delays).toEqual([0, 50, 100, 200, 5_000].map((delayMs) => ({ again: true, delayMs })))
})

test('ten failures within a minute end the attempts', () => {
  expect(afterRun(failures(10, 6_000), 10)).toEqual({ again: false })
})

test('failures older than a minute are forgotten', () => {
  expect(afterRun(failures(10, 7_000), 10)).toMatchObject({ again: true })
})
