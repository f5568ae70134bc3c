import { onNode } from './history.ts'
import type { Stage } from './stage.ts'

const PAGE = 20

/** A random agent asks for its new events. */
export async function readInbox({ day, cast, nodes, readers }: Stage): Promise<void> {
  const { id } = day.chance.pick(cast.agents)
  const reader = readers.get(id) ?? { cursor: 0, seen: new Set() }
  readers.set(id, reader)
  const query = { agentId: id, after: reader.cursor, type: null, unreadOnly: false, limit: PAGE }
  await onNode(day, day.chance.pick(nodes), 'read', async ({ store }) => {
    for (const event of (await store.inbox(query)).events) {
      reader.seen.add(event.id)
      reader.cursor = Math.max(reader.cursor, event.position)
    }
  })
}

/** I10: events at or before a reader's cursor that it never saw. */
export function* skippedEvents({ day, readers }: Stage): Iterable<string> {
  for (const { id, agentId, position, type } of day.database.tables.events.values()) {
    const reader = readers.get(agentId)
    if (reader && position <= reader.cursor && !reader.seen.has(id)) {
      yield `${agentId} has read up to ${reader.cursor} and never saw ${type} at ${position}`
    }
  }
}
