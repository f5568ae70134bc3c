import { TASK_STATUSES } from '@guildhall/protocol'
import type { Reader, TaskFilter } from '../ports/store.ts'
import type { Connection } from './connection.ts'
import { columnsOf } from './table.ts'
import { type TaskRow, taskTable } from './task-row.ts'

type ListedRow = TaskRow & { readonly creator_name: string | null }
type Condition = { readonly sql: (parameter: string) => string; readonly value: unknown }
type Source = { readonly from: string; readonly id: string; readonly conditions: readonly Condition[] }

const equals = (column: string, value: unknown): Condition => ({
  sql: (parameter) => `${column} = ${parameter}`,
  value,
})

/** A wallet is known by its address, whatever its spelling; agents' ids are exact. */
const creatorKey = (creator: string): string => (/^0x/i.test(creator) ? creator.toLowerCase() : creator)

/** Whose tasks they are narrows the search most, then what they ask for; each has an index that leads on to status and time. */
function sourceOf({ creator, claimer, capability, category, minAmount }: TaskFilter): Source {
  const conditions: Condition[] = []
  const isPersonal = creator !== null || claimer !== null
  if (creator !== null) conditions.push(equals('creator_id', creatorKey(creator)))
  if (claimer !== null) conditions.push(equals('claimed_by', claimer))
  if (capability !== null) {
    const value = capability.toLowerCase()
    const asked = (parameter: string) =>
      `exists (select from task_capabilities c where c.task_id = tasks.id and c.capability = ${parameter})`
    conditions.push(isPersonal ? { sql: asked, value } : equals('capability', value))
  }
  if (category !== null) conditions.push(equals('category', category))
  if (minAmount !== null) conditions.push({ sql: (parameter) => `bounty_amount >= ${parameter}`, value: minAmount })
  return capability !== null && !isPersonal
    ? { from: 'task_capabilities', id: 'task_id', conditions }
    : { from: 'tasks', id: 'id', conditions }
}

/** How deep a branch may be read; in few steps, so that few statements are prepared. */
const depthFor = ({ limit, offset }: TaskFilter): number => Math.max(100, 10 ** Math.ceil(Math.log10(offset + limit)))

/**
 * One branch per status, each in the order of an index and each read no further than needed, merged by time.
 * Statuses and depth stand in the text and the page size behind a subquery, so that PostgreSQL has no reason to plan again.
 */
export function listing(filter: TaskFilter): { readonly text: string; readonly values: readonly unknown[] } {
  const { from, id, conditions } = sourceOf(filter)
  const where = conditions.map(({ sql }, index) => ` and ${sql(`$${index + 3}`)}`).join('')
  const order = `order by created_at desc, ${id} desc limit ${depthFor(filter)}`
  const branches = TASK_STATUSES.filter((status) => filter.statuses?.includes(status) ?? true).map(
    (status) => `(select created_at, ${id} as id from ${from} where status = '${status}'${where} ${order})`,
  )
  const text = `
select ${columnsOf(taskTable, 't')}, poster.name as creator_name
from (
  select id from (${branches.join('\n  union all ')}) matching
  order by created_at desc, id desc limit (select $1::int) offset (select $2::int)
) page
join tasks t on t.id = page.id
left join agents poster on poster.id = t.creator_id and t.creator_kind = 'agent'
order by t.created_at desc, t.id desc`
  return { text, values: [filter.limit, filter.offset, ...conditions.map(({ value }) => value)] }
}

export const listTasksRead = (connection: Connection) =>
  ({
    async listTasks(filter) {
      if (filter.statuses?.length === 0 || filter.limit === 0) return []
      const { text, values } = listing(filter)
      // Whether few or many bounties reach a minimum decides the plan; deep pages are too rare to keep a plan for.
      const planAnew = filter.minAmount !== null || depthFor(filter) > 100
      const rows = await (planAnew ? connection.rowsPlannedAnew : connection.rows)<ListedRow>(text, values)
      return rows.map((row) => ({ task: taskTable.read(row), creatorName: row.creator_name }))
    },
  }) satisfies Partial<Reader>
