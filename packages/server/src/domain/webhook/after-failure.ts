import { limits } from '@guildhall/protocol'
import type { Instant } from '../instant.ts'

export type AfterFailure =
  | { readonly kind: 'try again'; readonly attempts: number; readonly at: Instant }
  /** All later events that have waited since `waitingSince` or longer are given up with it. */
  | { readonly kind: 'give up'; readonly attempts: number; readonly waitingSince: Instant }

const { retryAfterMs, givenUpAfterMs } = limits.webhook

/** What follows a failed attempt at an event that had failed `failedBefore` times before. */
export function afterFailure(failedBefore: number, now: Instant): AfterFailure {
  const attempts = failedBefore + 1
  const wait = retryAfterMs[failedBefore]
  return wait === undefined
    ? { kind: 'give up', attempts, waitingSince: now - givenUpAfterMs }
    : { kind: 'try again', attempts, at: now + wait }
}
