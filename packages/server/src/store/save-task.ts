import type { Task } from '../domain/task/task.ts'
import { isPaid, PAID_COLUMNS } from './settled-population.ts'
import type { TaskRow } from './task-row.ts'
import { taskTable } from './task-table.ts'

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

/**
 * Writes the changed columns of a task that this transaction has locked. Several short statements in one round cost less than one
 * large one.
 */
export function savesOf(before: Task, after: Task): readonly Save[] {
  const columns: Column[] = []
  const values: unknown[] = [after.id]
  for (const column of changing) {
    const value = taskTable.write[column](after)
    if (value === taskTable.write[column](before)) continue
    columns.push(column)
    values.push(value)
  }
  if (columns.length === 0) return []
  const update = { text: textOf(columns), values }
  if (before.status === after.status || concernPay(columns)) return [update]
  const followed = { text: capabilitiesFollow, values: [after.id, after.status] }
  const counted = { text: countMove, values: [before.status, after.status] }
  return after.requiredCapabilities.length === 0 ? [update, counted] : [update, followed, counted]
}

const concernPay = (columns: readonly Column[]): boolean => columns.some((column) => paidColumns.has(column))

const capabilitiesFollow = 'update task_capabilities set status = $2 where task_id = $1 and status <> $2'
const countMove = `insert into tally_changes (topic, item, change) values ('tasks', $1, -1), ('tasks', $2, 1)`

/** The statement for each set of changed columns, cached: its name is found faster by the same string object. */
const texts = new Map<string, string>()

function textOf(columns: readonly Column[]): string {
  const key = columns.join(' ')
  const known = texts.get(key)
  if (known !== undefined) return known
  const update = `update tasks set ${columns.map((column, index) => `${column} = $${index + 2}`).join(', ')} where id = $1`
  const text = concernPay(columns) ? countingBoth(update) : update
  texts.set(key, text)
  return text
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
