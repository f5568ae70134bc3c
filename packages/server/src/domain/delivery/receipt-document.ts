import { isoTime } from '../instant.ts'
import type { Receipt, Submission } from './delivery.ts'

/** The seven public fields that the ledger commits to (decisions, section 5). */
export const receiptFields = (receipt: Receipt) => ({
  receipt_id: receipt.id,
  task_id: receipt.taskId,
  agent_id: receipt.agentId,
  submission_type: receipt.type,
  payload_hash: receipt.payloadHash,
  revision: receipt.revision,
  completed_at: isoTime(receipt.completedAt),
})

/** The content that `payload_hash` commits to: visible to both parties, and to everybody once it is published. */
export const receiptPayload = (submission: Submission) => ({
  summary: submission.summary,
  submission_content: submission.content,
  artifact_urls: submission.artifactUrls === null ? null : [...submission.artifactUrls],
  commit_hash: submission.commitHash,
  pr_url: submission.prUrl,
  salt: submission.salt,
})
