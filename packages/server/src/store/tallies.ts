import { TASK_STATUSES } from '@guildhall/protocol'
import type { Account } from '../domain/journal/posting.ts'
import type { Reader, StatusCounts, Transaction } from '../ports/store.ts'
import type { Connection } from './connection.ts'

/** Totals plus the changes that are not yet added to them, in one snapshot: exact at every moment. */
const read = `
select topic, item, sum(amount) as amount
from (
  select topic, item, amount from tallies where topic = any($1)
  union all
  select topic, item, change from tally_changes where topic = any($1)
) parts
group by topic, item
order by topic, item`

const FOLDED_AT_ONCE = 20_000

const fold = `
with taken as (
  delete from tally_changes
  where id = any(array(select id from tally_changes order by id limit ${FOLDED_AT_ONCE} for update skip locked))
  returning topic, item, change
), folded as (
  insert into tallies as total (topic, item, amount)
  select topic, item, sum(change) from taken group by topic, item order by topic, item
  on conflict (topic, item) do update set amount = total.amount + excluded.amount
)
select count(*)::int as count from taken`

type TallyRow = { readonly topic: string; readonly item: string; readonly amount: bigint }

/** How many agents have one of these statuses. */
export async function countAgents(connection: Connection, statuses: readonly string[]): Promise<number> {
  const rows = await connection.rows<TallyRow>(read, [['agents']])
  return rows.filter(({ item }) => statuses.includes(item)).reduce((sum, { amount }) => sum + Number(amount), 0)
}

export const tallyReads = (connection: Connection) =>
  ({
    async statusCounts(): Promise<StatusCounts> {
      const rows = await connection.rows<TallyRow>(read, [['agents', 'tasks', 'paid']])
      const amount = (topic: string, item: string) =>
        rows.find((row) => row.topic === topic && row.item === item)?.amount ?? 0n
      const count = (topic: string, item: string) => Number(amount(topic, item))
      return {
        agents: { total: count('agents', 'total'), active: count('agents', 'active') },
        tasks: Object.fromEntries(
          TASK_STATUSES.map((status) => [status, count('tasks', status)]),
        ) as StatusCounts['tasks'],
        paid: count('paid', 'count'),
        paidAtomic: amount('paid', 'atomic'),
      }
    },
    async balances() {
      const rows = await connection.rows<TallyRow>(read, [['balance']])
      return rows.map(({ item, amount }) => {
        const [network = '', account = ''] = item.split(' ')
        return { network, account: account as Account, atomic: amount }
      })
    },
  }) satisfies Partial<Reader>

export const tallyWrites = (connection: Connection) =>
  ({
    async foldTallies() {
      const taken = await connection.first<{ count: number }>(fold)
      return taken?.count === FOLDED_AT_ONCE
    },
  }) satisfies Partial<Transaction>
