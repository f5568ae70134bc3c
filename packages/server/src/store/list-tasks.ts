import { TASK_STATUSES, type TaskStatus } from '@guildhall/protocol'
import type { Reader } from '../ports/store.ts'
import type { Fingerprinted, TaskFilter } from '../ports/task-store.ts'
import type { Connection } from './connection.ts'
import { IN_HAND, isInHand } from './in-hand.ts'
import { columnsOf } from './table.ts'
import type { TaskRow } from './task-row.ts'
import { taskTable } from './task-table.ts'

type ListedRow = TaskRow & { readonly creator_name: string | null; readonly shown: string; readonly started: string }
type Condition = { readonly sql: (parameter: string) => string; readonly value: unknown }
type Source = {
  readonly from: string
  readonly id: string
  readonly conditions: readonly Condition[]
  /** Conditions that find all of these statuses together, one for each branch. */
  readonly branches: (statuses: readonly TaskStatus[]) => readonly string[]
}

const equals = (column: string, value: unknown): Condition => ({
  sql: (parameter) => `${column} = ${parameter}`,
  value,
})

/** A wallet address matches in any letter case; agents' ids are exact. */
const creatorKey = (creator: string): string => (/^0x/i.test(creator) ? creator.toLowerCase() : creator)

/**
 * Filters in the order of how much they narrow: creator or claimer, then capability; each has an index that continues with status
 * and time.
 */
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
    ? { from: 'task_capabilities', id: 'task_id', conditions, branches: branchesOfCapabilities }
    : { from: 'tasks', id: 'id', conditions, branches: (statuses) => statuses.map(hasStatus) }
}

const hasStatus = (status: TaskStatus): string => `status = '${status}'`

/** The one status in hand that is asked for, which the capabilities of a task in hand do not tell. */
function oneInHand(statuses: readonly TaskStatus[] | null): TaskStatus | null {
  const asked = statuses?.filter(isInHand) ?? []
  return asked.length === 1 ? (asked[0] ?? null) : null
}

function branchesOfCapabilities(statuses: readonly TaskStatus[]): readonly string[] {
  const one = oneInHand(statuses)
  if (one === null) return statuses.map(hasStatus)
  const isSo = `exists (select from tasks where tasks.id = task_id and tasks.${hasStatus(one)})`
  return [
    ...statuses.filter((status) => status !== one).map(hasStatus),
    ...IN_HAND.map((status) => `${hasStatus(status)} and ${isSo}`),
  ]
}

const SHALLOW = 100

/** LIMIT of each branch, rounded up to a power of ten, so that few different statements are prepared. */
const depthFor = ({ limit, offset }: TaskFilter): number =>
  Math.max(SHALLOW, 10 ** Math.ceil(Math.log10(offset + limit)))

type Page = { readonly text: string; readonly values: readonly unknown[] }

/**
 * The tasks of a page, with these columns and the version of each row. One branch per status, each in index order and with a
 * LIMIT, merged by time. Statuses and depth are literals and the page size is in a subquery, so that PostgreSQL keeps one generic
 * plan. With filters or a deep page, rows before OFFSET are skipped using indexes only.
 */
function pageOf(filter: TaskFilter, columns: readonly string[]): Page {
  const { from, id, conditions, branches } = sourceOf(filter)
  const depth = depthFor(filter)
  const wanted = [...columns, 'xmin'].map((column) => `tasks.${column}`).join(', ')
  const isDirect = conditions.length === 0 && depth === SHALLOW
  const read = isDirect ? `${wanted} as version` : `created_at, ${id} as id`
  const where = conditions.map(({ sql }, index) => ` and ${sql(`$${index + 3}`)}`).join('')
  const statuses = TASK_STATUSES.filter((status) => filter.statuses?.includes(status) ?? true)
  const parts = branches(statuses).map(
    (branch) =>
      `(select ${read} from ${from} where ${branch}${where} order by created_at desc, ${id} desc limit ${depth})`,
  )
  const newest = `
  select * from (${parts.join('\n  union all ')}) matching
  order by created_at desc, id desc limit (select $1::int) offset (select $2::int)`
  return {
    text: isDirect ? newest : `select ${wanted} as version from (${newest}) page join tasks on tasks.id = page.id`,
    values: [filter.limit, filter.offset, ...conditions.map(({ value }) => value)],
  }
}

const poster = `left join agents poster on poster.id = t.creator_id and t.creator_kind = 'agent'`

/** The version of a listed task: that of its row, and its poster's name, which is shown with it. */
const shown = `concat(t.id, ' ', t.version, ' ', quote_literal(poster.name))`
const SHOWN_WITH = ['id', 'created_at', 'creator_kind', 'creator_id'] as const

export function listing(filter: TaskFilter): Page {
  const { text, values } = pageOf(filter, taskTable.columns)
  const columns = `${columnsOf(taskTable, 't')}, poster.name as creator_name, ${shown} as shown`
  return {
    text: `
select ${columns}, concat(pg_postmaster_start_time()) as started
from (${text}) t ${poster}
order by t.created_at desc, t.id desc`,
    values,
  }
}

export function listingFingerprint(filter: TaskFilter): Page {
  const { text, values } = pageOf(filter, SHOWN_WITH)
  return {
    text: `
select concat(pg_postmaster_start_time(), ' ', string_agg(shown, ' ')) as fingerprint
from (select ${shown} as shown from (${text}) t ${poster} order by t.created_at desc, t.id desc) listed`,
    values,
  }
}

/**
 * A minimum bounty, a capability among somebody's tasks or one among those in hand is planned for its value, since few or many tasks
 * may fit; deep pages are too rare to keep a plan for.
 */
export const isPlannedAnew = (filter: TaskFilter): boolean =>
  filter.minAmount !== null ||
  (filter.capability !== null &&
    (filter.creator !== null || filter.claimer !== null || oneInHand(filter.statuses) !== null)) ||
  depthFor(filter) > SHALLOW

const runOn = (connection: Connection, filter: TaskFilter): Connection['rows'] =>
  isPlannedAnew(filter) ? connection.rowsPlannedAnew : connection.rows

export const listTasksRead = (connection: Connection) =>
  ({
    async listTasks(filter) {
      if (filter.statuses?.length === 0 || filter.limit === 0) return { tasks: [], fingerprint: '' }
      const { text, values } = listing(filter)
      const rows = await runOn(connection, filter)<ListedRow>(text, values)
      return {
        tasks: rows.map((row) => ({ task: taskTable.read(row), creatorName: row.creator_name })),
        fingerprint: `${rows[0]?.started ?? ''} ${rows.map((row) => row.shown).join(' ')}`,
      }
    },

    async taskListFingerprint(filter) {
      const { text, values } = listingFingerprint(filter)
      const [row] = await runOn(connection, filter)<Fingerprinted>(text, values)
      return row?.fingerprint ?? ''
    },
  }) satisfies Partial<Reader>
