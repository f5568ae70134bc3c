import { isoTime } from '../domain/instant.ts'
import type { LedgerEntry } from '../domain/ledger/ledger.ts'
import type { LedgerHead } from '../ports/ledger-store.ts'
import type { Reader, Transaction } from '../ports/store.ts'
import type { Connection } from './connection.ts'
import { toHex } from './hash-bytes.ts'
import { type CheckpointRow, checkpointTable, type EntryRow, pendingTable, readEntry } from './ledger-row.ts'
import { columnsOf, insertRowsInto } from './table.ts'

export type HeadRow = Pick<EntryRow, 'sequence' | 'entry_hash' | 'sealed_at'>

export const readHead = (row: HeadRow): LedgerHead => ({
  sequence: Number(row.sequence),
  entryHash: toHex(row.entry_hash),
  timestamp: row.sealed_at,
})

const entries = `
select sequence, type, agent_id, agent_name, public_key, profile_hash, previous_hash, entry_hash, sealed_at
from ledger_entries`
const signed = `select ${columnsOf(checkpointTable, 'c')} from checkpoints c`
export const checkpoints = `
(${signed} order by c.sequence limit 1)
union (${signed} where c.sequence between $1 and $2)
union (${signed} order by c.sequence desc limit $3)
order by sequence`
/**
 * By the index, because what was sealed since the last vacuum is still in the table: planned when there is a lot of it, and not when
 * there was none.
 */
const firstPending = 'select position from ledger_pending order by position limit 1'
const sealOf = 'select sequence, entry_hash from ledger_entries where pending_id = $1'
const checkpointDue = `
select exists (
  select from ledger_head h, (select sequence, issued_at from checkpoints order by sequence desc limit 1) last
  where h.sequence > last.sequence and last.issued_at <= $1
) as due`
const append = insertRowsInto(pendingTable)

const range = async (connection: Connection, from: number, to: number): Promise<readonly LedgerEntry[]> => {
  const text = `${entries} where sequence between $1 and $2 order by sequence`
  return (await connection.rows<EntryRow>(text, [from, to])).map(readEntry)
}

export const ledgerReads = (connection: Connection) =>
  ({
    async ledgerHead() {
      const row = await connection.first<HeadRow>('select sequence, entry_hash, sealed_at from ledger_head')
      return row === null || row.sequence === 0n ? null : readHead(row)
    },
    ledgerEntry: async (sequence) => (await range(connection, sequence, sequence))[0] ?? null,
    ledgerRange: (from, to) => range(connection, from, to),
    checkpoints: async (from, to, newest) =>
      (await connection.rows<CheckpointRow>(checkpoints, [from, to, newest])).map(checkpointTable.read),
    async seal(pendingId) {
      const row = await connection.first<Pick<EntryRow, 'sequence' | 'entry_hash'>>(sealOf, [pendingId])
      return row === null ? null : { sequence: Number(row.sequence), entryHash: toHex(row.entry_hash) }
    },
    hasPending: async () => (await connection.rowsPlannedAnew(firstPending)).length > 0,
    async isCheckpointDue(issuedBy) {
      const row = await connection.first<{ due: boolean }>(checkpointDue, [isoTime(issuedBy)])
      return row?.due ?? false
    },
  }) satisfies Partial<Reader>

export const ledgerWrites = (connection: Connection) =>
  ({
    async appendPending(entry) {
      await connection.writeRow(append, append.values(entry))
    },
  }) satisfies Partial<Transaction>
