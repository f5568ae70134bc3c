import type { Task } from '../domain/task/task.ts'
import type { Reader, Transaction } from '../ports/store.ts'
import { capabilityKeys } from './capability-keys.ts'
import type { Connection } from './connection.ts'
import { isPaid, PAID_COLUMNS } from './settled-population.ts'
import { columnsOf, insertInto, updateAllBut } from './table.ts'
import { type TaskRow, taskTable } from './task-row.ts'

const select = `select ${columnsOf(taskTable, 't')} from tasks t`
const insertion = insertInto(taskTable)
const update = updateAllBut(taskTable, 'id', [
  'creator_kind',
  'creator_id',
  'title',
  'description',
  'category',
  'required_capabilities',
  'expected_output',
  'output_format',
  'expires_in_days',
  'created_at',
  'bounty_amount',
  'bounty_network',
  'proposer_signature',
])

/** What one task adds to the tallies: itself under its status, and its bounty once that is paid. */
const tallied = (row: string): string => `
  select 'tasks' as topic, ${row}.status as item, 1 as change from ${row}
  union all select 'paid', 'count', 1 from ${row} where ${isPaid(row)}
  union all select 'paid', 'atomic', bounty_amount from ${row} where ${isPaid(row)}`

const insert = `
with added as (
  ${insertion.text}
  returning id, status, category, bounty_amount, created_at, ${PAID_COLUMNS}
), capable as (
  insert into task_capabilities (task_id, capability, status, category, bounty_amount, created_at)
  select id, capability, status, category, bounty_amount, created_at
  from added, unnest(${insertion.next}::text[]) as capability
)
insert into tally_changes (topic, item, change) ${tallied('added')}`

/** The row was locked in this transaction, so what the statement reads beside its update is the state before it. */
const save = `
with before as (
  select status, bounty_amount, ${PAID_COLUMNS} from tasks where id = $1
), after as (
  ${update.text}
  returning id, status, bounty_amount, ${PAID_COLUMNS}
), capable as (
  update task_capabilities c set status = after.status from after where c.task_id = after.id and c.status <> after.status
), counted as (
  insert into tally_changes (topic, item, change)
  select topic, item, sum(change)
  from (${tallied('after')} union all select topic, item, -change from (${tallied('before')}) gone) moves
  group by topic, item
  having sum(change) <> 0
)
select id from after`

const one = async (connection: Connection, text: string, id: string): Promise<Task | null> => {
  const row = await connection.first<TaskRow>(text, [id])
  return row === null ? null : taskTable.read(row)
}

export const taskReads = (connection: Connection) =>
  ({
    task: (id) => one(connection, `${select} where t.id = $1`, id),
    async activeClaims(agentId) {
      const text = `select count(*)::int as claims from tasks where claimed_by = $1 and status = 'claimed'`
      return (await connection.first<{ claims: number }>(text, [agentId]))?.claims ?? 0
    },
  }) satisfies Partial<Reader>

export const taskWrites = (connection: Connection) =>
  ({
    async insertTask(task) {
      await connection.change(insert, [...insertion.values(task), capabilityKeys(task.requiredCapabilities)])
    },
    lockTask: (id) => one(connection, `${select} where t.id = $1 for no key update`, id),
    async saveTask(task) {
      if (!(await connection.first(save, update.values(task)))) throw new Error(`There is no task ${task.id} to save.`)
    },
  }) satisfies Partial<Transaction>
