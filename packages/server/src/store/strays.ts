import type { Stray } from '../domain/custody/stray.ts'
import { isoTime } from '../domain/instant.ts'
import type { Hex, TransferState } from '../domain/transfer/transfer.ts'
import type { CustodyReads, CustodyWrites } from '../ports/custody-store.ts'
import type { Connection } from './connection.ts'
import { readOne } from './read-one.ts'

type StrayRow = {
  readonly stray_id: string
  readonly network: string
  readonly tx_hash: Hex
  readonly log_index: number
  readonly block_number: bigint
  readonly counterparty: Hex
  readonly amount: bigint
  readonly seen_at: number
  readonly return_id: string | null
  readonly return_state: TransferState | null
  readonly return_tx: Hex | null
}

/** The return is read in subqueries, so that FOR UPDATE locks the stray alone. */
const select = `
select m.stray_id, m.network, m.tx_hash, m.log_index, m.block_number, m.counterparty, m.amount, m.seen_at, m.return_id,
  (select t.state from transfers t where t.id = m.return_id) as return_state,
  (select t.tx_hash from transfers t where t.id = m.return_id) as return_tx
from wallet_movements m
where m.stray_id is not null and m.transfer_id is null and not m.covers_loss`

/** A stray that was reorged away must be seen again before it can be returned. */
const standing = `${select} and m.proven`

const unproven = `
${select} and not m.proven and m.return_id is null and m.network = $1 and m.block_number <= $2
order by m.stray_id for no key update of m`

const read = (row: StrayRow): Stray => ({
  id: row.stray_id,
  network: row.network,
  txHash: row.tx_hash,
  logIndex: row.log_index,
  blockNumber: row.block_number,
  incoming: true,
  counterparty: row.counterparty,
  amount: row.amount,
  seenAt: row.seen_at,
  returned:
    row.return_id === null || row.return_state === null
      ? null
      : { transferId: row.return_id, state: row.return_state, txHash: row.return_tx },
})

const book = `
insert into wallet_movements as m
  (network, tx_hash, log_index, block_number, incoming, counterparty, amount, booked, proven, stray_id, seen_at)
values ($1, $2, $3, $4, true, $5, $6, true, true, $7, $8)
on conflict (network, tx_hash, log_index) do update set booked = true, stray_id = excluded.stray_id
where m.incoming and not m.booked and m.transfer_id is null`

type StrayReads = Pick<CustodyReads, 'strays'>
type StrayWrites = Pick<
  CustodyWrites,
  | 'bookStray'
  | 'lockStray'
  | 'lockStrayAt'
  | 'lockUnprovenStrays'
  | 'forgetStray'
  | 'explainStray'
  | 'reduceStray'
  | 'returnStray'
  | 'coverLoss'
>

export const strayReads = (connection: Connection): StrayReads => ({
  async strays({ returned, limit }) {
    const only = returned ? '' : ' and m.return_id is null'
    return (await connection.rows<StrayRow>(`${standing}${only} order by m.stray_id desc limit $1`, [limit])).map(read)
  },
})

export const strayWrites = (connection: Connection): StrayWrites => ({
  async bookStray(network, { txHash, logIndex, blockNumber, counterparty, amount }, strayId, at) {
    const what = [network, txHash.toLowerCase(), logIndex, blockNumber, counterparty.toLowerCase(), amount]
    const booked = await connection.change(book, [...what, strayId, isoTime(at)])
    if (booked !== 1) throw new Error(`The movement ${txHash} ${logIndex} is booked already.`)
  },
  lockStray: (strayId) =>
    readOne(connection, read, `${standing} and m.stray_id = $1 for no key update of m`, [strayId]),
  lockStrayAt: (network, { txHash, logIndex }) =>
    readOne(
      connection,
      read,
      `${select} and m.network = $1 and m.tx_hash = $2 and m.log_index = $3 for no key update of m`,
      [network, txHash.toLowerCase(), logIndex],
    ),
  lockUnprovenStrays: async (network, upToBlock) =>
    (await connection.rows<StrayRow>(unproven, [network, upToBlock])).map(read),
  async forgetStray(strayId) {
    await connection.change('delete from wallet_movements where stray_id = $1', [strayId])
  },
  async explainStray(strayId, transferId) {
    await connection.change('update wallet_movements set transfer_id = $2 where stray_id = $1', [strayId, transferId])
  },
  async reduceStray(strayId, by) {
    await connection.change('update wallet_movements set amount = amount - $2 where stray_id = $1', [strayId, by])
  },
  async coverLoss(strayId) {
    await connection.change('update wallet_movements set covers_loss = true where stray_id = $1', [strayId])
  },
  async returnStray(strayId, transferId) {
    await connection.change('update wallet_movements set return_id = $2 where stray_id = $1', [strayId, transferId])
  },
})
