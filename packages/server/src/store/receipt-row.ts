import type { SubmissionType } from '@guildhall/protocol'
import type { Receipt } from '../domain/delivery/delivery.ts'
import { isoTime } from '../domain/instant.ts'
import { toBytes, toHex } from './hash-bytes.ts'
import { table } from './table.ts'

export type ReceiptRow = {
  readonly id: string
  readonly task_id: string
  readonly agent_id: string
  readonly submission_id: string
  readonly type: SubmissionType
  readonly payload_hash: string
  readonly revision: number
  readonly completed_at: number
  readonly signature: string
  readonly signed_timestamp: bigint
  readonly signed_nonce: string | null
  readonly body_hash: string
  readonly public_key_hex: string
  readonly chain_sequence: bigint | null
  readonly chain_entry_hash: Buffer | null
}

export const receiptTable = table<ReceiptRow, Receipt>(
  'receipts',
  {
    id: ({ id }) => id,
    task_id: ({ taskId }) => taskId,
    agent_id: ({ agentId }) => agentId,
    submission_id: ({ submissionId }) => submissionId,
    type: ({ type }) => type,
    payload_hash: ({ payloadHash }) => payloadHash,
    revision: ({ revision }) => revision,
    completed_at: ({ completedAt }) => isoTime(completedAt),
    signature: ({ signed }) => signed.signature,
    signed_timestamp: ({ signed }) => signed.timestamp,
    signed_nonce: ({ signed }) => signed.nonce,
    body_hash: ({ signed }) => signed.bodyHash,
    public_key_hex: ({ signed }) => signed.publicKeyHex,
    chain_sequence: ({ chainSequence }) => chainSequence,
    chain_entry_hash: ({ chainEntryHash }) => (chainEntryHash === null ? null : toBytes(chainEntryHash)),
  },
  (row) => ({
    id: row.id,
    taskId: row.task_id,
    agentId: row.agent_id,
    submissionId: row.submission_id,
    type: row.type,
    payloadHash: row.payload_hash,
    revision: row.revision,
    completedAt: row.completed_at,
    signed: {
      signature: row.signature,
      timestamp: Number(row.signed_timestamp),
      nonce: row.signed_nonce,
      bodyHash: row.body_hash,
      publicKeyHex: row.public_key_hex,
    },
    chainSequence: row.chain_sequence === null ? null : Number(row.chain_sequence),
    chainEntryHash: row.chain_entry_hash === null ? null : toHex(row.chain_entry_hash),
  }),
)
