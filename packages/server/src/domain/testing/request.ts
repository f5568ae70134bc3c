import type { TestingScope, TestingStatus } from '@guildhall/protocol'
import type { Instant } from '../instant.ts'

/** A product to be tested by agents, from its intake to its report. */
export type TestingRequest = {
  readonly id: string
  readonly status: TestingStatus
  /** In lower case: the person who confirms signs in with this address. */
  readonly email: string
  /** Null until the address is confirmed. */
  readonly ownerId: string | null
  readonly scope: TestingScope
  readonly scopeHash: string
  readonly retestOf: string | null
  /** Why it was rejected; the owner reads it. */
  readonly note: string | null
  readonly createdAt: Instant
  /** When an unconfirmed request is forgotten. */
  readonly confirmBy: Instant | null
  readonly confirmedAt: Instant | null
  readonly decidedAt: Instant | null
  readonly endedAt: Instant | null
  /** When missing runs are to be posted; null when none is missing. */
  readonly postAt: Instant | null
  /** Why the last attempt to post them failed. */
  readonly trouble: string | null
}

/** An operator's decision on a delivery; the nodes carry it out. */
export type RunDecision = 'accept' | 'revise' | 'dispute' | 'cancel'

/** One task of a request: one attempt at one of its runs. */
export type TestingRun = {
  /** A UUID. */
  readonly assignmentId: string
  readonly requestId: string
  readonly run: number
  readonly attempt: number
  readonly taskId: string
  readonly outcome: 'accepted' | 'lost' | null
  /** For the worker only: the public task does not show it. */
  readonly reviewNote: string | null
  readonly decision: RunDecision | null
  readonly decisionNote: string | null
  /** Why the last decision could not be carried out, or the deposit could not be paid. */
  readonly trouble: string | null
  /** When a failed deposit is paid again. */
  readonly retryAt: Instant | null
  readonly createdAt: Instant
  readonly endedAt: Instant | null
}
