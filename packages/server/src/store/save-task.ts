import type { Task } from '../domain/task/task.ts'
import { isPaid, PAID_COLUMNS } from './settled-population.ts'
import { type TaskRow, taskTable } from './task-row.ts'

type Column = keyof TaskRow & string
type Save = { readonly text: string; readonly values: readonly unknown[] }

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
const changing = (Object.keys(taskTable.write) as Column[]).filter((column) => !FIXED.includes(column))
const paidColumns = new Set(PAID_COLUMNS.split(', '))

/** Writes what is different now, of a task that this transaction holds; null when nothing is. */
export function saveOf(before: Task, after: Task): Save | null {
  const columns: Column[] = []
  const values: unknown[] = [after.id]
  for (const column of changing) {
    const value = taskTable.write[column](after)
    if (value === taskTable.write[column](before)) continue
    columns.push(column)
    values.push(value)
  }
  if (columns.length === 0) return null
  const counting = countingOf(columns)
  if (counting === 'the move') values.push(before.status, after.status)
  const key = columns.join(' ')
  const text = texts.get(key) ?? textOf(columns, counting)
  texts.set(key, text)
  return { text, values }
}

/** What of the tallies these columns can change. */
type Counting = 'nothing' | 'the move' | 'all'

const countingOf = (columns: readonly Column[]): Counting =>
  columns.some((column) => paidColumns.has(column)) ? 'all' : columns.includes('status') ? 'the move' : 'nothing'

/** The statement for each set of changed columns, once made: the same text is known by its name at once. */
const texts = new Map<string, string>()

function textOf(columns: readonly Column[], counting: Counting): string {
  const update = `update tasks set ${columns.map((column, index) => `${column} = $${index + 2}`).join(', ')} where id = $1`
  if (counting === 'all') return countingBoth(update)
  if (counting === 'nothing') return update
  return countingMove(update, `$${columns.length + 2}`, `$${columns.length + 3}`)
}

const followed = (status: string): string =>
  `update task_capabilities set status = ${status} where task_id = $1 and status <> ${status}`

/** The tallies follow the status alone. */
const countingMove = (update: string, from: string, to: string): string => `
with after as (${update}), capable as (${followed(to)})
insert into tally_changes (topic, item, change) values ('tasks', ${from}, -1), ('tasks', ${to}, 1)`

/** What one task adds to the tallies: itself under its status, and its bounty once that is paid. */
const tallied = (row: string): string => `
  select 'tasks' as topic, ${row}.status as item, 1 as change from ${row}
  union all select 'paid', 'count', 1 from ${row} where ${isPaid(row)}
  union all select 'paid', 'atomic', bounty_amount from ${row} where ${isPaid(row)}`

/** The row is held, so what the statement reads beside its update is the state before it. */
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
