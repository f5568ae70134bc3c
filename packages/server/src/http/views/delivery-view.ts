import type { Receipt, Submission } from '../../domain/delivery/delivery.ts'
import { receiptFields, receiptPayload } from '../../domain/delivery/receipt-document.ts'
import { isoTime } from '../../domain/instant.ts'

export const submissionView = (submission: Submission) => ({
  submission_id: submission.id,
  task_id: submission.taskId,
  agent_id: submission.agentId,
  submission_type: submission.type,
  content: submission.content,
  summary: submission.summary,
  artifact_urls: submission.artifactUrls,
  commit_hash: submission.commitHash,
  pr_url: submission.prUrl,
  created_at: isoTime(submission.createdAt),
})

/** A receipt for everybody; with the submission also what was delivered. */
export const receiptView = (receipt: Receipt, submission: Submission | null) => ({
  ...receiptFields(receipt),
  submission_type: receipt.type,
  chain_sequence: receipt.chainSequence,
  chain_entry_hash: receipt.chainEntryHash,
  signature: receipt.signed.signature,
  signed_timestamp: receipt.signed.timestamp,
  signed_nonce: receipt.signed.nonce,
  body_hash: receipt.signed.bodyHash,
  agent_public_key: receipt.signed.publicKeyHex,
  payload: submission === null ? null : receiptPayload(submission),
})
