import type { InboxEvent } from '../domain/inbox/event.ts'
import { isoTime } from '../domain/instant.ts'
import type { InboxQuery } from '../ports/inbox-store.ts'
import type { Reader, Transaction } from '../ports/store.ts'
import type { Connection } from './connection.ts'

/**
 * The page and the inbox's state in one snapshot. One event more than asked for is read, to tell whether there is another page.
 */
function pageOf({ after, type, unreadOnly }: InboxQuery): string {
  const conditions = [
    after === null ? '' : ' and e.position > $3',
    type === null ? '' : ` and e.type = $${after === null ? 3 : 4}`,
    unreadOnly ? ' and e.read_at is null' : '',
  ]
  const order = after === null ? 'desc' : 'asc'
  return `
select i.last_position, i.unread, e.*
from inboxes i
left join lateral (
  select e.id, e.agent_id, e.position, e.type, e.ref_kind, e.ref_id, e.actor_id, e.payload, e.created_at, e.read_at
  from inbox_events e
  where e.agent_id = i.agent_id${conditions.join('')}
  order by e.position ${order} limit $2
) e on true
where i.agent_id = $1
order by e.position ${order}`
}

/** One query for all listeners: only inboxes that have new events are read. */
const news = `
select reader.nr::int - 1 as reader, e.*
from unnest($1::text[], $2::bigint[]) with ordinality as reader (agent_id, after, nr)
join inboxes i on i.agent_id = reader.agent_id and i.last_position > reader.after
cross join lateral (
  select e.id, e.agent_id, e.position, e.type, e.ref_kind, e.ref_id, e.actor_id, e.payload, e.created_at, e.read_at
  from inbox_events e
  where e.agent_id = reader.agent_id and e.position > reader.after
  order by e.position limit $3
) e
order by reader.nr, e.position`

/**
 * A transaction that this snapshot does not see has a number of xmin or more, so the next look starts at xmin. Numbers from xmax
 * on come from another cluster, through a restored backup.
 */
const moved = `
select pg_snapshot_xmin(seen)::text as next, array(
  select distinct agent_id from inbox_events where written_in >= $1::xid8 and written_in < pg_snapshot_xmax(seen)
) as agent_ids
from pg_current_snapshot() seen`

const here = 'select pg_snapshot_xmin(pg_current_snapshot())::text as next, array[]::text[] as agent_ids'

/** The inbox is locked first, as everywhere; an event that is marked twice at once counts once. */
const mark = (which: string): string => `
with held as (
  select agent_id from inboxes where agent_id = $1 for no key update
), marked as (
  update inbox_events e set read_at = $2 where ${which} and e.read_at is null
  returning e.position
)
update inboxes i set unread = i.unread - (select count(*) from marked) from held
where i.agent_id = held.agent_id
returning (select count(*)::int from marked) as marked`

/**
 * By the places of their rows, which are found by id before anything else is compared: of the unread events, of which an inbox may
 * have many, none but these is looked at, whatever PostgreSQL believes of their number.
 */
export const markIds = mark(`e.ctid = any(array(
    select asked.place
    from (select ctid as place, agent_id from inbox_events where id = any($3) offset 0) asked join held using (agent_id)
  ))`)
const markUpTo = mark('e.agent_id = (select agent_id from held) and e.position <= $3')

export type EventRow = {
  readonly id: string | null
  readonly agent_id: string
  readonly position: bigint
  readonly type: InboxEvent['type']
  readonly ref_kind: InboxEvent['refKind']
  readonly ref_id: string
  readonly actor_id: string | null
  readonly payload: InboxEvent['payload']
  readonly created_at: number
  readonly read_at: number | null
}
type NewsRow = EventRow & { readonly id: string; readonly reader: number }
type PageRow = EventRow & { readonly last_position: bigint; readonly unread: bigint }

export const readEvent = (row: EventRow & { readonly id: string }): InboxEvent => ({
  id: row.id,
  agentId: row.agent_id,
  position: Number(row.position),
  type: row.type,
  refKind: row.ref_kind,
  refId: row.ref_id,
  actorId: row.actor_id,
  payload: row.payload,
  createdAt: row.created_at,
  readAt: row.read_at,
})

const isEvent = <Row extends EventRow>(row: Row): row is Row & { readonly id: string } => row.id !== null

export const inboxReads = (connection: Connection) =>
  ({
    async inbox(query) {
      const { agentId, after, type, limit } = query
      const filters = [after, type].filter((value) => value !== null)
      const rows = await connection.rows<PageRow>(pageOf(query), [agentId, limit + 1, ...filters])
      const events = rows.filter(isEvent)
      return {
        events: events.slice(0, limit).map(readEvent),
        hasMore: events.length > limit,
        lastPosition: Number(rows[0]?.last_position ?? 0),
        unread: Number(rows[0]?.unread ?? 0),
      }
    },
    async inboxNews(readers, limit) {
      const agents = readers.map(({ agentId }) => agentId)
      const places = readers.map(({ after }) => after)
      // A prepared plan for a few readers and a small registry would be kept for many readers and a large one.
      const rows = await connection.rowsPlannedAnew<NewsRow>(news, [agents, places, limit])
      return rows.map((row) => ({ reader: row.reader, event: readEvent(row) }))
    },
    async movedInboxes(since) {
      const [text, values] = since === null ? [here, []] : [moved, [since]]
      const row = await connection.first<{ readonly next: string; readonly agent_ids: readonly string[] }>(text, values)
      if (row === null) throw new Error('PostgreSQL gave no snapshot.')
      return { agentIds: row.agent_ids, next: row.next }
    },
  }) satisfies Partial<Reader>

export const inboxWrites = (connection: Connection) =>
  ({
    async markEventsRead(agentId, which, at) {
      const [text, value] = 'ids' in which ? [markIds, which.ids] : [markUpTo, which.upTo]
      return (await connection.first<{ marked: number }>(text, [agentId, isoTime(at), value]))?.marked ?? 0
    },
  }) satisfies Partial<Transaction>
