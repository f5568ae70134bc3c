import { DAY, limits, MINUTE, SECOND } from '@guildhall/protocol'
import { expect, test } from 'vitest'
import { isGivenUp, nextAttemptAt, restUntil } from './after-failure.ts'

test('an event is tried eight times over a day, then given up', () => {
  const tries = [0]
  for (let at = nextAttemptAt(1, 0); at !== null; at = nextAttemptAt(tries.length, at)) tries.push(at)
  expect(tries).toHaveLength(8)
  expect((tries.at(-1) ?? 0) / DAY).toBeCloseTo(1, 1)
  expect(tries.map((at, index) => at - (tries[index - 1] ?? 0)).slice(1)).toEqual([...limits.webhook.retryAfterMs])
})

test('an address rests after every third failure in a row, longer each time, up to a quarter of an hour', () => {
  const rests = Array.from({ length: 19 }, (_, failures) => restUntil(failures, 0))
  expect(rests.filter((rest) => rest !== null)).toEqual([
    5 * SECOND,
    30 * SECOND,
    2 * MINUTE,
    15 * MINUTE,
    15 * MINUTE,
    15 * MINUTE,
  ])
  expect([rests[0], rests[3], rests[4]]).toEqual([null, 5 * SECOND, null])
})

test('an address is given up when it has rested for a day', () => {
  const failures = Array.from({ length: 1_000 }, (_, nr) => nr).find(isGivenUp) ?? 0
  expect((failures / 3 - 4) * 15 * MINUTE).toBeCloseTo(DAY - 15 * MINUTE, -6)
  expect([isGivenUp(8), isGivenUp(failures - 1), isGivenUp(failures + 1)]).toEqual([false, false, true])
})
