import { limits } from '@guildhall/protocol'
import type { Instant } from '../instant.ts'

/** An agent that has worked on testing tasks, or was admitted by an operator. */
export type TestingWorker = {
  readonly agentId: string
  /** Admitted regardless of its score. */
  readonly allowListed: boolean
  readonly suspendedFor: string | null
  readonly grantedAt: Instant
  readonly expiresAt: Instant
}

export type Ineligible = 'score_too_low' | 'suspended' | 'expired'

/** Why an earlier eligibility has ended: a suspension, or time. */
export function whyLapsed(worker: TestingWorker | null, now: Instant): Ineligible | null {
  if (worker === null) return null
  if (worker.suspendedFor !== null) return 'suspended'
  return now >= worker.expiresAt ? 'expired' : null
}

/** Why an agent may not claim a testing task; null when it may. */
export const whyIneligible = (
  worker: TestingWorker | null,
  { score, minScore, now }: { readonly score: number; readonly minScore: number; readonly now: Instant },
): Ineligible | null =>
  whyLapsed(worker, now) ?? (worker?.allowListed === true || score >= minScore ? null : 'score_too_low')

/** Eligible from now on for a full period: at the first claim, with an accepted result, or by an operator. */
export const renewed = (worker: TestingWorker | null, agentId: string, now: Instant): TestingWorker => ({
  agentId,
  allowListed: worker?.allowListed ?? false,
  suspendedFor: worker?.suspendedFor ?? null,
  grantedAt: now,
  expiresAt: now + limits.testing.eligibleMs,
})
