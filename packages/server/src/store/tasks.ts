import type { Task } from '../domain/task/task.ts'
import type { Reader, Transaction } from '../ports/store.ts'
import { capabilityKeys } from './capability-keys.ts'
import type { Connection } from './connection.ts'
import { saveOf } from './save-task.ts'
import { isPaid, PAID_COLUMNS } from './settled-population.ts'
import { columnsOf, insertInto } from './table.ts'
import { type TaskRow, taskTable } from './task-row.ts'

const select = `select ${columnsOf(taskTable, 't')} from tasks t`
const insertion = insertInto(taskTable)

/** One statement: the task, its capabilities as they are looked for, and the tallies. */
const insert = `
with added as (
  ${insertion.text}
  returning id, status, category, bounty_amount, created_at, ${PAID_COLUMNS}
), capable as (
  insert into task_capabilities (task_id, capability, status, category, bounty_amount, created_at)
  select id, capability, status, category, bounty_amount, created_at
  from added, unnest(${insertion.next}::text[]) as capability
)
insert into tally_changes (topic, item, change)
select 'tasks', status, 1 from added
union all select 'paid', 'count', 1 from added where ${isPaid('added')}
union all select 'paid', 'atomic', bounty_amount from added where ${isPaid('added')}`

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

export function taskWrites(connection: Connection) {
  /** Tasks as they stand in this transaction, which holds them. */
  const held = new Map<string, Task>()

  async function lockTask(id: string): Promise<Task | null> {
    const task = await one(connection, `${select} where t.id = $1 for no key update`, id)
    if (task !== null) held.set(id, task)
    return task
  }

  return {
    async insertTask(task) {
      await connection.write(insert, [...insertion.values(task), capabilityKeys(task.requiredCapabilities)])
    },
    lockTask,
    async saveTask(task) {
      const before = held.get(task.id) ?? (await lockTask(task.id))
      if (before === null) throw new Error(`There is no task ${task.id} to save.`)
      held.set(task.id, task)
      const save = saveOf(before, task)
      if (save !== null) await connection.write(save.text, save.values)
    },
  } satisfies Partial<Transaction>
}
