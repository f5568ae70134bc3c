import type { SubmissionType } from '@guildhall/protocol'
import type { Instant } from '../instant.ts'

/** What an agent hands in. */
export type Delivery = {
  readonly type: SubmissionType
  readonly summary: string
  readonly content: string | null
  readonly artifactUrls: readonly string[] | null
  readonly commitHash: string | null
  readonly prUrl: string | null
}

/** The delivery on record. */
export type Submission = Delivery & {
  readonly id: string
  readonly taskId: string
  readonly agentId: string
  readonly salt: string
  readonly createdAt: Instant
}

/** The deliverer's own signature over the request that delivered. */
export type SignedDelivery = {
  readonly signature: string
  readonly timestamp: number
  readonly nonce: string | null
  readonly bodyHash: string
  readonly publicKeyHex: string
}

export type Receipt = {
  readonly id: string
  readonly taskId: string
  readonly agentId: string
  readonly submissionId: string
  readonly type: SubmissionType
  readonly payloadHash: string
  readonly revision: number
  readonly completedAt: Instant
  readonly signed: SignedDelivery
  readonly chainSequence: number | null
  readonly chainEntryHash: string | null
}
