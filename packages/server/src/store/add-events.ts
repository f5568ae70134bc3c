import type { NewEvent } from '../domain/inbox/event.ts'
import { isoTime } from '../domain/instant.ts'
import type { Transaction } from '../ports/store.ts'
import type { Connection } from './connection.ts'

/** Takes the next position of an inbox and writes the event there. Whoever has no inbox is told nothing. */
const add = `
with moved as (
  update inboxes set last_position = last_position + 1, unread = unread + 1 where agent_id = $1
  returning agent_id, last_position
)
insert into inbox_events (agent_id, position, id, type, ref_kind, ref_id, actor_id, payload, created_at)
select agent_id, last_position, $2, $3, $4, $5, $6, $7, $8 from moved`

/** Two writers that take the inboxes in one order never wait for each other in a circle. */
const inOrderOfInboxes = (events: readonly NewEvent[]): readonly NewEvent[] =>
  events.toSorted((a, b) => (a.agentId < b.agentId ? -1 : a.agentId > b.agentId ? 1 : 0))

export const addEventsWrite = (connection: Connection) =>
  ({
    /** One by one: nearly always there is one, and a statement for many would be planned anew for each. */
    async addEvents(events, at, newId) {
      for (const { agentId, type, refKind, refId, actorId, payload } of inOrderOfInboxes(events))
        await connection.write(add, [
          agentId,
          newId(),
          type,
          refKind,
          refId,
          actorId,
          JSON.stringify(payload),
          isoTime(at),
        ])
    },
  }) satisfies Partial<Transaction>
