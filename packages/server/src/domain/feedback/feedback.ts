import type { FeedbackScope, FeedbackStatus } from '@guildhall/protocol'
import type { Instant } from '../instant.ts'

/** A user's report; secrets have been removed from every text. */
export type Feedback = {
  readonly id: string
  /** Null when the report was not signed. */
  readonly agentId: string | null
  readonly scope: FeedbackScope
  readonly taskId: string | null
  readonly environment: string
  readonly expectedBehavior: string
  readonly actualBehavior: string
  readonly stepsToReproduce: string
  readonly errorCodes: readonly string[]
  readonly requestIds: readonly string[]
  readonly suggestedImprovement: string | null
  readonly skillVersion: string
  readonly cliVersion: string | null
  readonly status: FeedbackStatus
  /** What an operator wrote when marking it. */
  readonly note: string | null
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

export type FeedbackReport = Omit<Feedback, 'id' | 'agentId' | 'status' | 'note' | 'createdAt' | 'updatedAt'>
