import type { Movement } from '../domain/custody/movement.ts'
import { isoTime } from '../domain/instant.ts'
import type { Hex } from '../domain/transfer/transfer.ts'
import type { CustodyReads, CustodyWrites } from '../ports/custody-store.ts'
import type { Connection } from './connection.ts'

/** Movements as arrays per column, from $2 on: one statement for any number of them. */
const given = `
unnest($2::text[], $3::int[], $4::bigint[], $5::boolean[], $6::text[], $7::bigint[])
  as seen (tx_hash, log_index, block_number, incoming, counterparty, amount)`

const columnsOf = (movements: readonly Movement[]): readonly unknown[] => [
  movements.map(({ txHash }) => txHash.toLowerCase()),
  movements.map(({ logIndex }) => logIndex),
  movements.map(({ blockNumber }) => blockNumber),
  movements.map(({ incoming }) => incoming),
  movements.map(({ counterparty }) => counterparty.toLowerCase()),
  movements.map(({ amount }) => amount),
]

/** Those of the given movements that are not on record (m), or are so there. */
const givenBut = (rest: string): string => `
select seen.tx_hash, seen.log_index
from ${given}
left join wallet_movements m on m.network = $1 and m.tx_hash = seen.tx_hash and m.log_index = seen.log_index
where m.tx_hash is null or (${rest})`

const unknown = givenBut('not m.booked and m.transfer_id is null')
const unproven = givenBut('not m.proven')

const prove = `
insert into wallet_movements as m
  (network, tx_hash, log_index, block_number, incoming, counterparty, amount, booked, proven, seen_at)
select $1, seen.tx_hash, seen.log_index, seen.block_number, seen.incoming, seen.counterparty, seen.amount, false, true, $8
from ${given}
order by seen.tx_hash, seen.log_index
on conflict (network, tx_hash, log_index) do update set proven = true, block_number = excluded.block_number
where not m.proven`

const provenAfter = `
select coalesce(sum(case when incoming then amount else -amount end), 0) as net
from wallet_movements where network = $1 and block_number > $2 and proven`

const unprove = `
with unproved as (
  update wallet_movements set proven = false
  where network = $1 and block_number > $2 and proven
  returning incoming, amount
)
select coalesce(sum(case when incoming then amount else -amount end), 0) as net from unproved`

/** A forgotten movement that is proven stays in the proven balance, and is subtracted from it when the proof is taken back. */
const nobodys = 'transfer_id = null, stray_id = null, booked = false'

/** Not `not proven`, which PostgreSQL would look for among all open movements instead of by their transfer. */
const isUnproven = 'proven is not true'

export const forget = `
with gone as (
  delete from wallet_movements where transfer_id = $1 and ${isUnproven}
)
update wallet_movements set ${nobodys} where transfer_id = $1 and proven`

/** After a reorg the transfer may be in another transaction: its former movement is deleted, unless it is proven. */
export const assign = `
with gone as (
  delete from wallet_movements
  where transfer_id = $4 and ${isUnproven} and (network, tx_hash, log_index) <> ($1, $2, $3)
)
update wallet_movements set transfer_id = $4, booked = booked or $5
where network = $1 and tx_hash = $2 and log_index = $3 and stray_id is null and coalesce(transfer_id, $4) = $4`

/** A transfer has one movement: after a reorg, the one it was booked for before is forgotten. */
export const book = `
with gone as (
  delete from wallet_movements where transfer_id = $8 and ${isUnproven} and (network, tx_hash, log_index) <> ($1, $2, $3)
), freed as (
  update wallet_movements set ${nobodys} where transfer_id = $8 and proven and (network, tx_hash, log_index) <> ($1, $2, $3)
)
insert into wallet_movements as m
  (network, tx_hash, log_index, block_number, incoming, counterparty, amount, transfer_id, booked, proven, seen_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, true, false, $9)
on conflict (network, tx_hash, log_index) do update
set transfer_id = excluded.transfer_id, booked = true, block_number = excluded.block_number
where m.transfer_id = excluded.transfer_id or (m.transfer_id is null and not m.booked)`

const unseen = `
select m.tx_hash, m.log_index, m.block_number, m.counterparty, m.amount
from wallet_movements m
where m.network = $1 and m.booked and not m.proven and m.incoming and m.transfer_id is not null and m.block_number <= $2
order by m.tx_hash, m.log_index for no key update`

type UnseenRow = {
  readonly tx_hash: Hex
  readonly log_index: number
  readonly block_number: bigint
  readonly counterparty: Hex
  readonly amount: bigint
}

type MovementReads = Pick<CustodyReads, 'unknownMovements' | 'unprovenMovements' | 'provenAfter' | 'firstTransferBlock'>
type MovementWrites = Pick<
  CustodyWrites,
  'proveMovements' | 'unproveMovements' | 'assignMovement' | 'bookMovement' | 'forgetMovement' | 'lockUnseenPayments'
>

/** The movements among these that the statement selects. */
async function selected(
  connection: Connection,
  statement: string,
  network: string,
  movements: readonly Movement[],
): Promise<readonly Movement[]> {
  if (movements.length === 0) return []
  const values = [network, ...columnsOf(movements)]
  const rows = await connection.rows<{ tx_hash: string; log_index: number }>(statement, values)
  const keys = new Set(rows.map(({ tx_hash, log_index }) => `${tx_hash} ${log_index}`))
  return movements.filter(({ txHash, logIndex }) => keys.has(`${txHash.toLowerCase()} ${logIndex}`))
}

export const movementReads = (connection: Connection): MovementReads => ({
  unknownMovements: (network, movements) => selected(connection, unknown, network, movements),
  unprovenMovements: (network, movements) => selected(connection, unproven, network, movements),
  async provenAfter(network, block) {
    return (await connection.first<{ net: bigint }>(provenAfter, [network, block]))?.net ?? 0n
  },
  async firstTransferBlock(network) {
    const text = 'select min(from_block) as block from transfers where network = $1 and from_block > 0'
    return (await connection.first<{ block: bigint | null }>(text, [network]))?.block ?? null
  },
})

export const movementWrites = (connection: Connection): MovementWrites => ({
  async proveMovements(network, movements, at) {
    if (movements.length > 0) await connection.change(prove, [network, ...columnsOf(movements), isoTime(at)])
  },
  async unproveMovements(network, afterBlock) {
    const row = await connection.first<{ net: bigint }>(unprove, [network, afterBlock])
    return row?.net ?? 0n
  },
  async assignMovement(network, { txHash, logIndex }, transferId, booked) {
    await connection.change(assign, [network, txHash.toLowerCase(), logIndex, transferId, booked])
  },
  async bookMovement(network, movement, transferId, at) {
    const { txHash, logIndex, blockNumber, incoming, counterparty, amount } = movement
    const what = [txHash.toLowerCase(), logIndex, blockNumber, incoming, counterparty.toLowerCase(), amount]
    return (await connection.change(book, [network, ...what, transferId, isoTime(at)])) === 1
  },
  async forgetMovement(transferId) {
    await connection.change(forget, [transferId])
  },
  lockUnseenPayments: async (network, upToBlock) =>
    (await connection.rows<UnseenRow>(unseen, [network, upToBlock])).map((row) => ({
      txHash: row.tx_hash,
      logIndex: row.log_index,
      blockNumber: row.block_number,
      incoming: true,
      counterparty: row.counterparty,
      amount: row.amount,
    })),
})
