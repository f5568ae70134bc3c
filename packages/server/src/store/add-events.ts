import { isoTime } from '../domain/instant.ts'
import type { Transaction } from '../ports/store.ts'
import type { Connection } from './connection.ts'

/**
 * Takes the positions and writes the events in one statement. The inboxes are locked in the order of their agents'
 * ids, so that two writers never wait for each other in a circle. Whoever has no inbox is told nothing.
 */
const add = `
with told as (
  select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::jsonb[])
    with ordinality as event (agent_id, id, type, ref_kind, ref_id, actor_id, payload, nr)
), held as (
  select agent_id from inboxes where agent_id = any($1) order by agent_id for no key update
), moved as (
  update inboxes i set last_position = i.last_position + news.count, unread = i.unread + news.count
  from held join (select agent_id, count(*) from told group by agent_id) news using (agent_id)
  where i.agent_id = held.agent_id and i.agent_id = any($1)
  returning i.agent_id, i.last_position - news.count as start
)
insert into inbox_events (agent_id, position, id, type, ref_kind, ref_id, actor_id, payload, created_at)
select told.agent_id, moved.start + row_number() over (partition by told.agent_id order by told.nr),
  told.id, told.type, told.ref_kind, told.ref_id, told.actor_id, told.payload, $8
from told join moved using (agent_id)`

export const addEventsWrite = (connection: Connection) =>
  ({
    async addEvents(events, at, newId) {
      if (events.length === 0) return
      await connection.change(add, [
        events.map(({ agentId }) => agentId),
        events.map(() => newId()),
        events.map(({ type }) => type),
        events.map(({ refKind }) => refKind),
        events.map(({ refId }) => refId),
        events.map(({ actorId }) => actorId),
        events.map(({ payload }) => JSON.stringify(payload)),
        isoTime(at),
      ])
    },
  }) satisfies Partial<Transaction>
