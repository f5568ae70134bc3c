import type { Task } from '../domain/task/task.ts'
import type { Connection } from './connection.ts'
import { isInHand } from './in-hand.ts'
import { inColumns, type RowStatement, rowsFrom } from './row-statement.ts'
import { isPaid, PAID_COLUMNS } from './settled-population.ts'
import { tally } from './tally.ts'
import type { TaskRow } from './task-row.ts'
import { taskTable } from './task-table.ts'

type Column = keyof TaskRow & string

const FIXED: readonly Column[] = [
  'id',
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
]
export const changing = (Object.keys(taskTable.write) as Column[]).filter((column) => !FIXED.includes(column))
const OTHER_TYPES: { readonly [Name in Column]?: string } = {
  receipts_count: 'integer',
  revision_count: 'integer',
  rating_stars: 'integer',
  announced: 'boolean',
}
const typeOf = (column: Column): string =>
  /_(at|until)$/.test(column) ? 'timestamptz' : (OTHER_TYPES[column] ?? 'text')
const paidColumns = new Set(PAID_COLUMNS.split(', '))

/** Writes the changed columns of a task that this transaction has locked. */
export async function saveChanges(connection: Connection, before: Task, after: Task): Promise<void> {
  const columns: Column[] = []
  const values: unknown[] = [after.id]
  for (const column of changing) {
    const value = taskTable.write[column](after)
    if (value === taskTable.write[column](before)) continue
    columns.push(column)
    values.push(value)
  }
  if (columns.length === 0) return
  const concernsPay = columns.some((column) => paidColumns.has(column))
  const update = updateOf(columns)
  if (concernsPay) return connection.write(countingBoth(update.one), values)
  await connection.writeRow(update, values)
  if (before.status === after.status) return
  const staysInHand = isInHand(before.status) && isInHand(after.status)
  if (after.requiredCapabilities.length > 0 && !staysInHand)
    await connection.writeRow(capabilitiesFollow, [after.id, after.status])
  await tally(connection, 'tasks', before.status, -1)
  await tally(connection, 'tasks', after.status, 1)
}

export const capabilitiesFollow: RowStatement = {
  one: 'update task_capabilities set status = $2 where task_id = $1 and status <> $2',
  many: `
update task_capabilities c set status = given.status
from ${rowsFrom({ task_id: 'text', status: 'text' })}
where c.task_id = given.task_id and c.status <> given.status`,
  pack: inColumns,
  key: ([taskId]) => taskId,
}

/** The statement for each set of changed columns, made once: it is found again by its identity. */
const updates = new Map<string, RowStatement>()

export function updateOf(columns: readonly Column[]): RowStatement {
  const known = updates.get(columns.join(' '))
  if (known !== undefined) return known
  const made: RowStatement = {
    one: `update tasks set ${columns.map((column, index) => `${column} = $${index + 2}`).join(', ')} where id = $1`,
    many: `
update tasks t set ${columns.map((column) => `${column} = given.${column}`).join(', ')}
from ${rowsFrom(Object.fromEntries(['id' as const, ...columns].map((column) => [column, typeOf(column)])))}
where t.id = given.id`,
    pack: inColumns,
    key: ([id]) => id,
  }
  updates.set(columns.join(' '), made)
  return made
}

/** What one task adds to the tallies: one under its status, and its bounty once that is paid. */
const tallied = (row: string): string => `
  select 'tasks' as topic, ${row}.status as item, 1 as change from ${row}
  union all select 'paid', 'count', 1 from ${row} where ${isPaid(row)}
  union all select 'paid', 'atomic', bounty_amount from ${row} where ${isPaid(row)}`

/** The row is locked, so what the statement reads next to its update is the state before it. */
const countingBoth = (update: string): string => `
with before as (
  select status, bounty_amount, ${PAID_COLUMNS} from tasks where id = $1
), after as (
  ${update}
  returning id, status, bounty_amount, ${PAID_COLUMNS}
), capable as (
  update task_capabilities c set status = after.status from after where c.task_id = after.id and c.status <> after.status
)
insert into tally_changes (topic, item, change)
select topic, item, sum(change)
from (${tallied('after')} union all select topic, item, -change from (${tallied('before')}) gone) moves
group by topic, item
having sum(change) <> 0`
