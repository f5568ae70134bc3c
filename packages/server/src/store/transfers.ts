import { isoTime } from '../domain/instant.ts'
import type { Reader, Transaction } from '../ports/store.ts'
import type { Connection } from './connection.ts'
import { readOne } from './read-one.ts'
import { columnsOf, insertInto, updateAllBut } from './table.ts'
import { type TransferRow, transferTable } from './transfer-row.ts'

const columns = columnsOf(transferTable, 't')
const select = `select ${columns} from transfers t`
const insertion = insertInto(transferTable)
const insert = `${insertion.text} on conflict do nothing`

/**
 * What others signed never changes; a payout's own validity is renewed with its signature. A payee changes only to where the row
 * says that an operator has redirected the payout.
 */
const update = updateAllBut(
  transferTable,
  'id',
  [
    'purpose',
    'network',
    'asset',
    'payer',
    'amount',
    'nonce',
    'task_id',
    'agent_id',
    'deposit_id',
    'created_at',
    'fence',
  ],
  { payee: (value) => `case when redirect_to = ${value} then ${value} else payee end` },
)
const save = `${update.text} and fence = ${update.next}`

const unfinished = `(t.state = 'intended' or (t.state = 'settled' and not t.is_final))`

/** To look again at what has settled is no attempt to settle it. */
const lease = `
update transfers t set lease_until = $3, fence = t.fence + 1, attempts = t.attempts + (t.state = 'intended')::int
where t.id = $1 and ${unfinished} and (t.lease_until is null or t.lease_until <= $2)
returning ${columns}`

const renew = 'update transfers set lease_until = $3 where id = $1 and fence = $2 and lease_until is not null'

const due = `
select t.id from transfers t
where ${unfinished} and t.network = $3 and coalesce(t.next_attempt_at, t.created_at) <= $1
  and (t.lease_until is null or t.lease_until <= $1)
order by coalesce(t.next_attempt_at, t.created_at), t.id
limit $2`

const youngBonds = `${select} where t.agent_id = $1 and t.purpose = 'bond' and t.state = 'settled' and not t.is_final order by t.id`

/** Searches the open transfers, which are few: the condition begins with that of the index of due transfers. */
const openBond = `
select 1 from transfers t
where t.agent_id = $1 and t.purpose in ('bond', 'withdrawal') and ${unfinished}
  and not (t.state = 'settled' and t.is_mature)
limit 1`

const countWithdrawals = `
select count(*)::int as count from transfers t where t.agent_id = $1 and t.purpose = 'withdrawal'`

const unsentWithdrawals = `
select t.id from transfers t
where t.agent_id = $1 and t.purpose = 'withdrawal' and t.state = 'intended' and t.signature is null
order by t.id`

export const transferReads = (connection: Connection) =>
  ({
    transfer: (id) => readOne(connection, transferTable.read, `${select} where t.id = $1`, [id]),
    transferByAuthorization: ({ network, asset, from, nonce }) =>
      readOne(
        connection,
        transferTable.read,
        `${select} where t.network = $1 and t.asset = $2 and t.payer = $3 and t.nonce = $4`,
        [network, asset.toLowerCase(), from.toLowerCase(), nonce.toLowerCase()],
      ),
    youngBonds: async (agentId) =>
      (await connection.rows<TransferRow>(youngBonds, [agentId])).map((row) => transferTable.read(row)),
    async hasOpenBond(agentId) {
      const found = await connection.first(openBond, [agentId])
      return found !== null
    },
    countWithdrawals: async (agentId) =>
      (await connection.first<{ count: number }>(countWithdrawals, [agentId]))?.count ?? 0,
    unsentWithdrawals: async (agentId) =>
      (await connection.rows<{ id: string }>(unsentWithdrawals, [agentId])).map(({ id }) => id),
    dueTransfers: async (now, limit, network) =>
      (await connection.rows<{ id: string }>(due, [isoTime(now), limit, network])).map(({ id }) => id),
  }) satisfies Partial<Reader>

export const transferWrites = (connection: Connection) =>
  ({
    insertTransfer: async (transfer) => (await connection.change(insert, insertion.values(transfer))) === 1,
    lockTransfer: (id) => readOne(connection, transferTable.read, `${select} where t.id = $1 for no key update`, [id]),
    /** The holder of an expired lease must not overwrite the newer one's outcome. */
    async saveTransfer(transfer) {
      const saved = await connection.change(save, [...update.values(transfer), transfer.fence])
      if (saved === 0) throw new Error(`Transfer ${transfer.id} has been leased again; this outcome is stale.`)
    },
    leaseTransfer: (id, now, until) =>
      readOne(connection, transferTable.read, lease, [id, isoTime(now), isoTime(until)]),
    renewLease: async ({ id, fence }, until) => (await connection.change(renew, [id, fence, isoTime(until)])) === 1,
  }) satisfies Partial<Transaction>
