import { isoTime } from '../domain/instant.ts'
import type { Task } from '../domain/task/task.ts'
import type { Reader, Transaction } from '../ports/store.ts'
import { capabilityKeys } from './capability-keys.ts'
import type { Connection } from './connection.ts'
import { readOne } from './read-one.ts'
import { savesOf } from './save-task.ts'
import { isPaid } from './settled-population.ts'
import { columnsOf, insertInto } from './table.ts'
import { taskTable } from './task-table.ts'

const select = `select ${columnsOf(taskTable, 't')} from tasks t`
const insertion = insertInto(taskTable)

const capable = `
insert into task_capabilities (task_id, capability, status, category, bounty_amount, created_at)
select $1, capability, $3, $4, $5, $6 from unnest($2::text[]) as capability`

const counted = `insert into tally_changes (topic, item, change) values ('tasks', $1, 1)`

const countedAsPaid = `
insert into tally_changes (topic, item, change)
select 'paid', item, change
from tasks t, lateral (values ('count', 1), ('atomic', t.bounty_amount)) as counts (item, change)
where t.id = $1 and ${isPaid('t')}`

/**
 * The task, its capabilities as search keys, and the tallies. Several short statements in one round cost less than one large one.
 */
export async function addTask(connection: Connection, task: Task): Promise<void> {
  const asked = capabilityKeys(task.requiredCapabilities)
  const { id, status, category, bounty, createdAt } = task
  await connection.write(insertion.text, insertion.values(task))
  if (asked.length > 0)
    await connection.write(capable, [id, asked, status, category, bounty?.amount ?? null, isoTime(createdAt)])
  await connection.write(counted, [status])
  if (task.paymentStatus === 'settled') await connection.write(countedAsPaid, [id])
}

export const taskReads = (connection: Connection) =>
  ({
    task: (id) => readOne(connection, taskTable.read, `${select} where t.id = $1`, [id]),
    async activeClaims(agentId) {
      const text = `select count(*)::int as claims from tasks where claimed_by = $1 and status = 'claimed'`
      return (await connection.first<{ claims: number }>(text, [agentId]))?.claims ?? 0
    },
    async lapsedClaims(agentId, now) {
      const text = `
select id from tasks where claimed_by = $1 and status = 'claimed' and claim_expires_at <= $2 order by claim_expires_at`
      return (await connection.rows<{ id: string }>(text, [agentId, isoTime(now)])).map(({ id }) => id)
    },
  }) satisfies Partial<Reader>

export function taskWrites(connection: Connection) {
  /** Tasks that this transaction has locked, as they are now. */
  const held = new Map<string, Task>()

  async function lockTask(id: string): Promise<Task | null> {
    const task = await readOne(connection, taskTable.read, `${select} where t.id = $1 for no key update`, [id])
    if (task !== null) held.set(id, task)
    return task
  }

  return {
    insertTask: (task) => addTask(connection, task),
    lockTask,
    async saveTask(task) {
      const before = held.get(task.id) ?? (await lockTask(task.id))
      if (before === null) throw new Error(`There is no task ${task.id} to save.`)
      held.set(task.id, task)
      for (const { text, values } of savesOf(before, task)) await connection.write(text, values)
    },
  } satisfies Partial<Transaction>
}
