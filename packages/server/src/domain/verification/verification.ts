import type { VerificationResult } from '@guildhall/protocol'
import type { Instant } from '../instant.ts'

/** The target that a verifier is to check now; one at a time. */
export type Assignment = {
  readonly id: string
  readonly verifierId: string
  readonly targetId: string
  readonly nonce: string
  readonly deadline: Instant
  /** When the target was drawn: this verifier does not draw it again within 24 hours of that. */
  readonly drawnAt: Instant
}

/** A recorded report. `document` is its canonical JSON, as it was signed and sent. */
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
