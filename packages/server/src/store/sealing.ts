import { isoTime } from '../domain/instant.ts'
import type { SealingTransaction } from '../ports/ledger-store.ts'
import type { Connection } from './connection.ts'
import { toBytes } from './hash-bytes.ts'
import { type HeadRow, ledgerReads, readHead } from './ledger.ts'
import { checkpointTable, type PendingRow, pendingTable } from './ledger-row.ts'
import { merkleNodesRead } from './merkle-nodes.ts'
import { readOne } from './read-one.ts'
import { rowsFrom } from './row-statement.ts'
import { columnsOf, insertInto } from './table.ts'

const lockHead = 'select sequence, entry_hash, sealed_at from ledger_head for no key update'
const pending = `select ${columnsOf(pendingTable, 'p')} from ledger_pending p order by p.position limit (select $1::int)`
const lastCheckpoint = `select ${columnsOf(checkpointTable, 'c')} from checkpoints c order by c.sequence desc limit 1`
const insertCheckpoint = insertInto(checkpointTable)

const sealedRows = rowsFrom({
  pending_id: 'text',
  receipt_id: 'text',
  sequence: 'bigint',
  previous_hash: 'bytea',
  entry_hash: 'bytea',
  sealed_at: 'timestamptz',
})

/**
 * Moves the pending rows to the entries; the same statement stamps their receipts and moves the head. If one of them was not
 * pending, or they do not follow the head without a gap, there is nothing to move the head to, which PostgreSQL refuses. The ids of
 * the receipts are given: if they came from the pending rows, PostgreSQL would believe the statistics of that table, taken of
 * whatever was pending at the time, and walk through the receipts.
 */
export const append = `
with sealed as (
  select * from ${sealedRows}
), taken as (
  delete from ledger_pending p using sealed where p.id = sealed.pending_id
  returning sealed.*, p.type, p.agent_id, p.agent_name, p.public_key, p.profile_hash
), entered as (
  insert into ledger_entries
    (sequence, type, agent_id, agent_name, public_key, profile_hash, previous_hash, entry_hash, sealed_at, pending_id)
  select sequence, type, agent_id, agent_name, public_key, profile_hash, previous_hash, entry_hash, sealed_at, pending_id
  from taken order by sequence
), stamped as (
  update receipts r set chain_sequence = taken.sequence, chain_entry_hash = taken.entry_hash
  from taken where r.id = taken.receipt_id
)
update ledger_head head set (sequence, entry_hash, sealed_at) = (
  select sequence, entry_hash, sealed_at from sealed
  where head.sequence + (select count(*) from taken) = (select max(sequence) from sealed)
    and head.entry_hash = (select previous_hash from sealed order by sequence limit 1)
  order by sequence desc limit 1
)`

const insertNodes = `
insert into merkle_nodes (level, index, hash)
select * from ${rowsFrom({ level: 'smallint', index: 'bigint', hash: 'bytea' })}`

export const sealingTransaction = (connection: Connection): SealingTransaction => ({
  async lockHead() {
    const row = await connection.first<HeadRow>(lockHead)
    if (row === null) throw new Error('The ledger has lost its head row.')
    return readHead(row)
  },
  pending: async (limit) => (await connection.rows<PendingRow>(pending, [limit])).map(pendingTable.read),
  async append(sealed, nodes) {
    const entries = sealed.map(({ entry }) => entry)
    await connection.write(append, [
      sealed.map(({ pending: { id } }) => id),
      sealed.map(({ pending: { receiptId } }) => receiptId),
      entries.map(({ sequence }) => sequence),
      entries.map(({ previousHash }) => toBytes(previousHash)),
      entries.map(({ entryHash }) => toBytes(entryHash)),
      entries.map(({ timestamp }) => isoTime(timestamp)),
    ])
    await connection.write(insertNodes, [
      nodes.map(({ level }) => level),
      nodes.map(({ index }) => index),
      nodes.map(({ hash }) => toBytes(hash)),
    ])
  },
  ledgerEntry: ledgerReads(connection).ledgerEntry,
  ...merkleNodesRead(connection),
  async addCheckpoint(checkpoint) {
    await connection.write(insertCheckpoint.text, insertCheckpoint.values(checkpoint))
  },
  lastCheckpoint: () => readOne(connection, checkpointTable.read, lastCheckpoint),
})
