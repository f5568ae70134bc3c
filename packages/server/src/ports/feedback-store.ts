import type { FeedbackStatus } from '@guildhall/protocol'
import type { Feedback } from '../domain/feedback/feedback.ts'
import type { Instant } from '../domain/instant.ts'

export type FeedbackFilter = {
  readonly status: FeedbackStatus | null
  /** Only reports older than the one with this id; null for the newest. */
  readonly before: string | null
  readonly limit: number
}

export type FeedbackReads = {
  /** Newest first. */
  listFeedback(filter: FeedbackFilter): Promise<readonly Feedback[]>
}

export type FeedbackWrites = {
  insertFeedback(feedback: Feedback): Promise<void>
  /** False when there is no such report. */
  markFeedback(id: string, status: FeedbackStatus, note: string | null, at: Instant): Promise<boolean>
}
