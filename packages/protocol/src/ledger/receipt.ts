import { hexToBytes } from '@noble/hashes/utils.js'
import { agentMessage } from '../signing/agent-signature.ts'
import { agentIdOf, encodePublicKey } from '../signing/public-key.ts'
import { verifyText } from '../signing/signature-text.ts'
import { hashDocument, isCanonical } from './canonical-json.ts'
import { entryHash, type LedgerEntry } from './entry.ts'
import { entryDocumentHash } from './entry-documents.ts'

/** The receipt fields that the ledger commits to: all public, even if the delivery is private. */
export type HashedReceiptFields = {
  readonly receipt_id: string
  readonly task_id: string
  readonly agent_id: string
  readonly submission_type: string
  readonly payload_hash: string
  readonly revision: number
  readonly completed_at: string
}

/** The delivered content; the random salt keeps a short delivery from being guessed from its hash. */
export type DeliveredPayload = {
  readonly summary: string
  readonly submission_content: string | null
  readonly artifact_urls: readonly string[] | null
  readonly commit_hash: string | null
  readonly pr_url: string | null
  readonly salt: string
}

export type SignedReceipt = HashedReceiptFields & {
  readonly chain_sequence: number | null
  readonly chain_entry_hash: string | null
  readonly signature: string
  readonly signed_timestamp: number
  readonly signed_nonce: string | null
  readonly body_hash: string
  readonly agent_public_key: string
  readonly payload: DeliveredPayload | null
}

/** `profile_hash` of the entry that records the delivery. */
export function receiptHash(receipt: HashedReceiptFields): string {
  return entryDocumentHash('task_delivered', {
    receipt_id: receipt.receipt_id,
    task_id: receipt.task_id,
    agent_id: receipt.agent_id,
    submission_type: receipt.submission_type,
    payload_hash: receipt.payload_hash,
    revision: receipt.revision,
    completed_at: receipt.completed_at,
  })
}

export function payloadHash(payload: DeliveredPayload): string {
  return hashDocument({
    summary: payload.summary,
    submission_content: payload.submission_content,
    artifact_urls: payload.artifact_urls,
    commit_hash: payload.commit_hash,
    pr_url: payload.pr_url,
    salt: payload.salt,
  })
}

/** Whether the named agent signed the request that delivered this, through `/deliver` or the older `/submit`. */
export function verifyReceiptSignature(receipt: SignedReceipt): boolean {
  const publicKey = keyOfReceipt(receipt)
  if (publicKey === null) return false
  return ['deliver', 'submit'].some((endpoint) => {
    const message = agentMessage({
      method: 'POST',
      path: `/v1/tasks/${receipt.task_id}/${endpoint}`,
      timestamp: receipt.signed_timestamp,
      bodyHash: receipt.body_hash,
      nonce: receipt.signed_nonce,
    })
    return verifyText(publicKey, message, receipt.signature)
  })
}

/** Whether the ledger entry is the one that the receipt names and commits to exactly this receipt. */
export function isReceiptInEntry(receipt: SignedReceipt, entry: LedgerEntry): boolean {
  return (
    isCanonical(receipt) &&
    entry.entry_type === 'task_delivered' &&
    entry.sequence === receipt.chain_sequence &&
    entry.agent_id === receipt.agent_id &&
    entry.profile_hash === receiptHash(receipt) &&
    entry.entry_hash === receipt.chain_entry_hash &&
    entry.entry_hash === entryHash(entry) &&
    (receipt.payload === null || payloadHash(receipt.payload) === receipt.payload_hash)
  )
}

function keyOfReceipt(receipt: SignedReceipt): Uint8Array | null {
  if (!/^[0-9a-f]{64}$/.test(receipt.agent_public_key)) return null
  const bytes = hexToBytes(receipt.agent_public_key)
  return agentIdOf(encodePublicKey(bytes)) === receipt.agent_id ? bytes : null
}
