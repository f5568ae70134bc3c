import { limits } from '@guildhall/protocol'
import type { Instant } from '../instant.ts'

const { retryAfterMs, failuresBeforeRest, restMs, givenUpAfterMs } = limits.webhook
const LONGEST_REST_MS = Math.max(...restMs)

/** When an event is tried again that has failed so many times; null when it is given up. */
export function nextAttemptAt(attempts: number, now: Instant): Instant | null {
  const wait = retryAfterMs[attempts - 1]
  return wait === undefined ? null : now + wait
}

/** Until when an address rests that has failed so many times in a row; null when it need not rest. */
export function restUntil(failures: number, now: Instant): Instant | null {
  if (failures === 0 || failures % failuresBeforeRest !== 0) return null
  return now + restOf(failures / failuresBeforeRest - 1)
}

/** Whether an address that has failed so many times in a row has rested for so long that old events are given up unseen. */
export function isGivenUp(failures: number): boolean {
  const rests = Array.from({ length: Math.floor(failures / failuresBeforeRest) }, (_, nr) => restOf(nr))
  return rests.reduce((sum, rest) => sum + rest, 0) >= givenUpAfterMs
}

const restOf = (nr: number): number => restMs[nr] ?? LONGEST_REST_MS
