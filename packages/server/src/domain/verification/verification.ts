import type { VerificationResult } from '@guildhall/protocol'
import type { Instant } from '../instant.ts'

/** Whom a verifier is to look at now; one at a time. */
export type Assignment = {
  readonly id: string
  readonly verifierId: string
  readonly targetId: string
  readonly nonce: string
  readonly deadline: Instant
  /** When chance chose the target: one who lets an assignment lapse gets the same target again. */
  readonly drawnAt: Instant
}

/** A report on record. `document` is the canonical JSON of the report as it was signed and sent. */
export type Verification = {
  readonly id: string
  readonly assignmentId: string
  readonly verifierId: string
  readonly targetId: string
  readonly result: VerificationResult
  readonly coherence: number | null
  readonly flagged: boolean
  readonly verifierScore: number
  readonly document: string
  readonly createdAt: Instant
}
