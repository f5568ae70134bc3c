import type { LedgerEntry } from '@guildhall/protocol'
import type { EntryRow } from './rows.ts'

export const publishedEntry = (row: EntryRow): LedgerEntry => ({
  sequence: Number(row.sequence),
  entry_type: row.type,
  agent_id: row.agent_id,
  public_key: row.public_key,
  profile_hash: row.profile_hash,
  previous_hash: row.previous_hash,
  entry_hash: row.entry_hash,
  timestamp: isoTime(row.sealed_at),
})

export const isoTime = (ms: number): string => (Number.isFinite(ms) ? new Date(ms).toISOString() : 'no time')
