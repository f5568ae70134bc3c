import type { Watch } from '../domain/custody/watch.ts'
import { isoTime, isoTimeOrNull } from '../domain/instant.ts'
import type { Hex } from '../domain/transfer/transfer.ts'
import type { CustodyReads, CustodyWrites } from '../ports/custody-store.ts'
import type { Connection } from './connection.ts'
import { readOne } from './read-one.ts'
import { columnsOf, table, updateAllBut } from './table.ts'

type WatchRow = {
  readonly network: string
  readonly wallet: Hex
  readonly asset: Hex
  readonly first_block: bigint | null
  readonly block: bigint | null
  readonly block_hash: Hex | null
  readonly balance: bigint | null
  readonly difference: bigint
  readonly transactions: bigint
  readonly missed: number
  readonly trouble: string | null
  readonly look_at: number
  readonly proven_at: number | null
  readonly fence: number
}

const watchTable = table<WatchRow, Watch>(
  'wallet_watches',
  {
    network: ({ network }) => network,
    wallet: ({ wallet }) => wallet.toLowerCase(),
    asset: ({ asset }) => asset.toLowerCase(),
    first_block: ({ firstBlock }) => firstBlock,
    block: ({ proven }) => proven?.number ?? null,
    block_hash: ({ proven }) => proven?.hash ?? null,
    balance: ({ proven }) => proven?.balance ?? null,
    difference: ({ difference }) => difference,
    transactions: ({ transactions }) => transactions,
    missed: ({ missed }) => missed,
    trouble: ({ trouble }) => trouble,
    look_at: ({ lookAt }) => isoTime(lookAt),
    proven_at: ({ provenAt }) => isoTimeOrNull(provenAt),
    fence: ({ fence }) => fence,
  },
  (row) => ({
    network: row.network,
    wallet: row.wallet,
    asset: row.asset,
    firstBlock: row.first_block,
    proven:
      row.block === null || row.block_hash === null || row.balance === null
        ? null
        : { number: row.block, hash: row.block_hash, balance: row.balance },
    difference: row.difference,
    transactions: row.transactions,
    missed: row.missed,
    trouble: row.trouble,
    lookAt: row.look_at,
    provenAt: row.proven_at,
    fence: row.fence,
  }),
)

const columns = columnsOf(watchTable, 'w')
const select = `select ${columns} from wallet_watches w`
const update = updateAllBut(watchTable, 'network', ['wallet', 'asset', 'fence'])
const lease = `
update wallet_watches w set look_at = $3, fence = w.fence + 1
where w.network = $1 and w.look_at <= $2
returning ${columns}`
const renew = 'update wallet_watches set look_at = $4 where network = $1 and fence = $2 and look_at > $3'
const open = `
insert into wallet_watches (network, wallet, asset, difference, transactions, missed, look_at, fence)
values ($1, $2, $3, 0, 0, 0, $4, 0)
on conflict (network) do nothing`

type WatchReads = Pick<CustodyReads, 'watch' | 'watches' | 'dueWatches'>
type WatchWrites = Pick<CustodyWrites, 'openWatch' | 'leaseWatch' | 'renewWatch' | 'saveWatch' | 'lockWatch'>

export const watchReads = (connection: Connection): WatchReads => ({
  watch: (network) => readOne(connection, watchTable.read, `${select} where w.network = $1`, [network]),
  watches: async () => (await connection.rows<WatchRow>(`${select} order by w.network`)).map(watchTable.read),
  async dueWatches(networks, wallet, now) {
    const text =
      'select network from wallet_watches where network = any($1) and wallet = $2 and look_at <= $3 order by network'
    return (await connection.rows<{ network: string }>(text, [networks, wallet.toLowerCase(), isoTime(now)])).map(
      ({ network }) => network,
    )
  },
})

export const watchWrites = (connection: Connection): WatchWrites => ({
  async openWatch({ network, wallet, asset, lookAt }) {
    await connection.change(open, [network, wallet.toLowerCase(), asset.toLowerCase(), isoTime(lookAt)])
  },
  leaseWatch: (network, by, until) =>
    readOne(connection, watchTable.read, lease, [network, isoTime(by), isoTime(until)]),
  renewWatch: async ({ network, fence }, over, until) =>
    (await connection.change(renew, [network, fence, isoTime(over), isoTime(until)])) === 1,
  lockWatch: (network) =>
    readOne(connection, watchTable.read, `${select} where w.network = $1 for no key update`, [network]),
  saveWatch: async (watch) =>
    (await connection.change(`${update.text} and fence = ${update.next}`, [...update.values(watch), watch.fence])) ===
    1,
})
