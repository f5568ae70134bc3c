import type { DeliveredPayload, SignedReceipt } from '@guildhall/protocol'
import type { ReceiptRow } from './rows.ts'

/** A receipt as published, with the content it commits to. */
export const signedReceipt = (row: ReceiptRow): SignedReceipt => ({
  receipt_id: row.id,
  task_id: row.task_id,
  agent_id: row.agent_id,
  submission_type: row.type,
  payload_hash: row.payload_hash,
  revision: row.revision,
  completed_at: new Date(row.completed_at).toISOString(),
  chain_sequence: row.chain_sequence === null ? null : Number(row.chain_sequence),
  chain_entry_hash: row.chain_entry_hash,
  signature: row.signature,
  signed_timestamp: Number(row.signed_timestamp),
  signed_nonce: row.signed_nonce,
  body_hash: row.body_hash,
  agent_public_key: row.public_key_hex,
  payload: deliveredPayload(row),
})

export const deliveredPayload = (row: ReceiptRow): DeliveredPayload => ({
  summary: row.summary,
  submission_content: row.content,
  artifact_urls: row.artifact_urls,
  commit_hash: row.commit_hash,
  pr_url: row.pr_url,
  salt: row.salt,
})
