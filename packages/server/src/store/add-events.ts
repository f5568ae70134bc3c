import type { NewEvent } from '../domain/inbox/event.ts'
import { type Instant, isoTime } from '../domain/instant.ts'
import type { Transaction } from '../ports/store.ts'
import type { Connection } from './connection.ts'
import { inColumns, inOrder, type RowStatement, rowsFrom } from './row-statement.ts'

const COLUMNS = 'agent_id, position, id, type, ref_kind, ref_id, actor_id, payload, created_at'

/**
 * Takes the next position of an inbox and writes the event there. An agent without an inbox gets no event. Every writer locks
 * inboxes in the order of agent ids, so two writers cannot deadlock.
 */
export const addEvent: RowStatement = {
  one: `
with moved as (
  update inboxes set last_position = last_position + 1, unread = unread + 1 where agent_id = $1
  returning agent_id, last_position
)
insert into inbox_events (${COLUMNS})
select agent_id, last_position, $2, $3, $4, $5, $6, $7, $8 from moved`,
  many: `
with moved as (
  update inboxes i set last_position = i.last_position + 1, unread = i.unread + 1
  from ${rowsFrom({
    agent_id: 'text',
    id: 'text',
    type: 'text',
    ref_kind: 'text',
    ref_id: 'text',
    actor_id: 'text',
    payload: 'text',
    created_at: 'timestamptz',
  })}
  where i.agent_id = given.agent_id
  returning given.*, i.last_position
)
insert into inbox_events (${COLUMNS})
select agent_id, last_position, id, type, ref_kind, ref_id, actor_id, payload::jsonb, created_at from moved`,
  pack: (rows) => inColumns(inOrder(rows)),
  key: ([agentId]) => agentId,
}

const inOrderOfInboxes = (events: readonly NewEvent[]): readonly NewEvent[] =>
  events.toSorted((a, b) => (a.agentId < b.agentId ? -1 : a.agentId > b.agentId ? 1 : 0))

export async function addEvents(
  connection: Connection,
  events: readonly NewEvent[],
  at: Instant,
  newId: () => string,
): Promise<void> {
  for (const { agentId, type, refKind, refId, actorId, payload } of inOrderOfInboxes(events)) {
    const event = [agentId, newId(), type, refKind, refId, actorId, JSON.stringify(payload), isoTime(at)]
    await connection.writeRow(addEvent, event)
  }
}

export const addEventsWrite = (connection: Connection) =>
  ({
    addEvents: (events, at, newId) => addEvents(connection, events, at, newId),
  }) satisfies Partial<Transaction>
