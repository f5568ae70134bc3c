import type { EntryType } from '@guildhall/protocol'
import { isoTime } from '../domain/instant.ts'
import type { Checkpoint, LedgerEntry, PendingEntry } from '../domain/ledger/ledger.ts'
import { toBytes, toHex } from './hash-bytes.ts'
import { table } from './table.ts'

export type PendingRow = {
  readonly id: string
  readonly type: EntryType
  readonly agent_id: string | null
  readonly agent_name: string | null
  readonly public_key: string | null
  readonly profile_hash: Buffer
  readonly receipt_id: string | null
}

export const pendingTable = table<PendingRow, PendingEntry>(
  'ledger_pending',
  {
    id: ({ id }) => id,
    type: ({ type }) => type,
    agent_id: ({ agentId }) => agentId,
    agent_name: ({ agentName }) => agentName,
    public_key: ({ publicKey }) => publicKey,
    profile_hash: ({ profileHash }) => toBytes(profileHash),
    receipt_id: ({ receiptId }) => receiptId,
  },
  (row) => ({
    id: row.id,
    type: row.type,
    agentId: row.agent_id,
    agentName: row.agent_name,
    publicKey: row.public_key,
    profileHash: toHex(row.profile_hash),
    receiptId: row.receipt_id,
  }),
)

export type EntryRow = {
  readonly sequence: bigint
  readonly type: EntryType
  readonly agent_id: string | null
  readonly agent_name: string | null
  readonly public_key: string | null
  readonly profile_hash: Buffer
  readonly previous_hash: Buffer
  readonly entry_hash: Buffer
  readonly sealed_at: number
}

export const readEntry = (row: EntryRow): LedgerEntry => ({
  sequence: Number(row.sequence),
  type: row.type,
  agentId: row.agent_id,
  agentName: row.agent_name,
  publicKey: row.public_key,
  profileHash: toHex(row.profile_hash),
  previousHash: toHex(row.previous_hash),
  entryHash: toHex(row.entry_hash),
  timestamp: row.sealed_at,
})

export type CheckpointRow = {
  readonly sequence: bigint
  readonly entry_hash: Buffer
  readonly tree_size: bigint
  readonly root_hash: Buffer
  readonly issued_at: number
  readonly signature: string
}

export const checkpointTable = table<CheckpointRow, Checkpoint>(
  'checkpoints',
  {
    sequence: ({ sequence }) => sequence,
    entry_hash: ({ entryHash }) => toBytes(entryHash),
    tree_size: ({ treeSize }) => treeSize,
    root_hash: ({ rootHash }) => toBytes(rootHash),
    issued_at: ({ issuedAt }) => isoTime(issuedAt),
    signature: ({ signature }) => signature,
  },
  (row) => ({
    sequence: Number(row.sequence),
    entryHash: toHex(row.entry_hash),
    treeSize: Number(row.tree_size),
    rootHash: toHex(row.root_hash),
    issuedAt: row.issued_at,
    signature: row.signature,
  }),
)
