import type { SubmissionType } from '@guildhall/protocol'
import type { Instant } from '../instant.ts'

export type Submission = {
  readonly id: string
  readonly taskId: string
  readonly agentId: string
  readonly type: SubmissionType
  readonly summary: string
  readonly content: string | null
  readonly artifactUrls: readonly string[] | null
  readonly commitHash: string | null
  readonly prUrl: string | null
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
