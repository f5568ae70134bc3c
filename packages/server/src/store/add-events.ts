import type { NewEvent } from '../domain/inbox/event.ts'
import { isoTime } from '../domain/instant.ts'
import type { Transaction } from '../ports/store.ts'
import type { Connection } from './connection.ts'

/** Takes the next position of an inbox and writes the event there. An agent without an inbox gets no event. */
const add = `
with moved as (
  update inboxes set last_position = last_position + 1, unread = unread + 1 where agent_id = $1
  returning agent_id, last_position
)
insert into inbox_events (agent_id, position, id, type, ref_kind, ref_id, actor_id, payload, created_at)
select agent_id, last_position, $2, $3, $4, $5, $6, $7, $8 from moved`

/** Every writer locks inboxes in the order of agent ids, so two writers cannot deadlock. */
const inOrderOfInboxes = (events: readonly NewEvent[]): readonly NewEvent[] =>
  events.toSorted((a, b) => (a.agentId < b.agentId ? -1 : a.agentId > b.agentId ? 1 : 0))

export const addEventsWrite = (connection: Connection) =>
  ({
    /**
     * One statement per event: there is nearly always only one, and a statement for many would be planned for each array length.
     */
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
