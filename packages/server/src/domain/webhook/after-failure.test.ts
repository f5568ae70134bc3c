import { DAY, limits } from '@guildhall/protocol'
import { expect, test } from 'vitest'
import { afterFailure } from './after-failure.ts'

test('an event is tried eight times over a day, then given up', () => {
  const tries = [0]
  for (let failed = 0; ; failed++) {
    const now = tries.at(-1) ?? 0
    const after = afterFailure(failed, now)
    if (after.kind === 'give up') {
      expect(after).toEqual({ kind: 'give up', attempts: 8, waitingSince: now - DAY })
      break
    }
    expect(after.attempts).toBe(failed + 1)
    tries.push(after.at)
  }
  expect(tries).toHaveLength(8)
  expect((tries.at(-1) ?? 0) / DAY).toBeCloseTo(1, 1)
  expect(tries.map((at, index) => at - (tries[index - 1] ?? 0)).slice(1)).toEqual([...limits.webhook.retryAfterMs])
})
