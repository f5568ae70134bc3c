import { limits } from '@guildhall/protocol'
import type { Instant } from '../instant.ts'

export type AfterFailure =
  | { readonly kind: 'try again'; readonly attempts: number; readonly at: Instant }
  /** With it goes everything that has waited behind it for as long. */
  | { readonly kind: 'give up'; readonly attempts: number; readonly waitingSince: Instant }

const { retryAfterMs, givenUpAfterMs } = limits.webhook

/** What follows a failed try of an event, of which so many had failed before. */
export function afterFailure(failedBefore: number, now: Instant): AfterFailure {
  const attempts = failedBefore + 1
  const wait = retryAfterMs[failedBefore]
  return wait === undefined
    ? { kind: 'give up', attempts, waitingSince: now - givenUpAfterMs }
    : { kind: 'try again', attempts, at: now + wait }
}
