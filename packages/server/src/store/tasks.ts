import { isoTime } from '../domain/instant.ts'
import type { Task } from '../domain/task/task.ts'
import type { Reader, Transaction } from '../ports/store.ts'
import { anyOf } from './asked-together.ts'
import { capabilityKeys } from './capability-keys.ts'
import type { Connection } from './connection.ts'
import { readOne } from './read-one.ts'
import { inColumns, inJson, inOrder, type RowStatement } from './row-statement.ts'
import { saveChanges } from './save-task.ts'
import { isPaid } from './settled-population.ts'
import { columnsOf, insertRowsInto } from './table.ts'
import { tally } from './tally.ts'
import type { TaskRow } from './task-row.ts'
import { taskTable } from './task-table.ts'

const select = `select ${columnsOf(taskTable, 't')} from tasks t`
const insertion = insertRowsInto(taskTable)

const CAPABLE = 'task_id, capability, status, category, bounty_amount, created_at'
const capable: RowStatement = {
  one: `
insert into task_capabilities (${CAPABLE})
select $1, capability, $3, $4, $5, $6 from unnest($2::text[]) as capability`,
  many: `
insert into task_capabilities (${CAPABLE})
select ${CAPABLE} from json_populate_recordset(null::task_capabilities, $1)`,
  pack: (rows) =>
    inJson(CAPABLE.split(', '))(
      rows.flatMap(([id, capabilities, ...more]) => (capabilities as string[]).map((name) => [id, name, ...more])),
    ),
}

const countedAsPaid = `
insert into tally_changes (topic, item, change)
select 'paid', item, change
from tasks t, lateral (values ('count', 1), ('atomic', t.bounty_amount)) as counts (item, change)
where t.id = $1 and ${isPaid('t')}`

/** The task, its capabilities as search keys, and the tallies. */
export async function addTask(connection: Connection, task: Task): Promise<void> {
  const asked = capabilityKeys(task.requiredCapabilities)
  const { id, status, category, bounty, createdAt } = task
  await connection.writeRow(insertion, insertion.values(task))
  if (asked.length > 0)
    await connection.writeRow(capable, [id, asked, status, category, bounty?.amount ?? null, isoTime(createdAt)])
  await tally(connection, 'tasks', status, 1)
  if (task.paymentStatus === 'settled') await connection.write(countedAsPaid, [id])
}

export const lockTasks: RowStatement = {
  one: `${select} where t.id = $1 for no key update`,
  many: `${select} where t.id = ${anyOf('$1')} for no key update`,
  pack: (rows) => inColumns(inOrder(rows)),
}

type ClaimsRow = { readonly claimed_by: string; readonly claims: number }
const claimsOf = (agents: string): string => `
select claimed_by, count(*)::int as claims from tasks where claimed_by = ${agents} and status = 'claimed' group by claimed_by`
export const activeClaims: RowStatement = { one: claimsOf('$1'), many: claimsOf(anyOf('$1')), pack: inColumns }

export const taskReads = (connection: Connection) =>
  ({
    task: (id) => readOne(connection, taskTable.read, `${select} where t.id = $1`, [id]),
    async activeClaims(agentId) {
      const counted = await connection.askRow<ClaimsRow>(activeClaims, [agentId])
      return counted.find((row) => row.claimed_by === agentId)?.claims ?? 0
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
    const locked = (await connection.askRow<TaskRow>(lockTasks, [id])).find((row) => row.id === id)
    if (locked === undefined) return null
    const task = taskTable.read(locked)
    held.set(id, task)
    return task
  }

  return {
    insertTask: (task) => addTask(connection, task),
    lockTask,
    async saveTask(task) {
      const before = held.get(task.id) ?? (await lockTask(task.id))
      if (before === null) throw new Error(`There is no task ${task.id} to save.`)
      held.set(task.id, task)
      await saveChanges(connection, before, task)
    },
  } satisfies Partial<Transaction>
}
