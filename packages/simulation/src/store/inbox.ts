import type { InboxEvent, Reader, Task, Transaction } from '@guildhall/server/parts'
import type { Overlay } from './overlay.ts'
import type { Ask, Statements } from './statements.ts'
import type { Tables } from './tables.ts'

type NewEvent = Parameters<Transaction['addEvents']>[0][number]

export const inboxReads = (tables: Tables, ask: Ask) =>
  ({
    inbox: ({ agentId, after, limit }) =>
      ask('inbox', (view) => {
        const own: InboxEvent[] = []
        for (const event of view.all(tables.events)) {
          if (event.agentId === agentId && event.position > (after ?? 0)) own.push(event)
        }
        own.sort((one, other) => one.position - other.position)
        const { lastPosition = 0, unread = 0 } = view.get(tables.inboxes, agentId) ?? {}
        return { events: own.slice(0, limit), hasMore: own.length > limit, lastPosition, unread }
      }),
    dueMessages: () => ask('dueMessages', () => []),
  }) satisfies Partial<Reader>

/** Positions come from the inbox's own row, which stays locked until the commit. */
export function inboxWrites(tables: Tables, { change, isFree }: Statements) {
  const locksOf = (agentIds: readonly string[]) => [...new Set(agentIds)].sort().map((id) => `inbox ${id}`)

  function tell(own: Overlay, event: NewEvent, id: string, at: number): void {
    const inbox = own.get(tables.inboxes, event.agentId)
    if (inbox === null) return
    const position = inbox.lastPosition + 1
    own.put(tables.inboxes, event.agentId, { ...inbox, lastPosition: position, unread: inbox.unread + 1 })
    own.put(tables.events, `${event.agentId} ${position}`, { ...event, id, position, createdAt: at, readAt: null })
  }

  return {
    async addEvents(events, at, newId) {
      if (events.length === 0) return
      const locks = locksOf(events.map(({ agentId }) => agentId))
      await change('addEvents', locks, (own) => {
        for (const event of events) tell(own, event, newId(), at)
      })
    },
    async announceAtOnce(task, at, newId) {
      const events = announcementOf(tables, task)
      const locks = locksOf(events.map(({ agentId }) => agentId))
      if (!locks.every(isFree)) return false
      return change('announceAtOnce', locks, (own) => {
        for (const event of events) tell(own, event, newId(), at)
        return true
      })
    },
    async announceTask(task, at, newId) {
      const events = announcementOf(tables, task)
      const locks = locksOf(events.map(({ agentId }) => agentId))
      return change('announceTask', locks, (own) => {
        for (const event of events) tell(own, event, newId(), at)
        return { told: events.length, done: true }
      })
    },
  } satisfies Partial<Transaction>
}

/** One event for every matching agent. */
export const announcementOf = ({ agents }: Tables, task: Task): readonly NewEvent[] =>
  task.requiredCapabilities.length === 0
    ? []
    : [...agents.values()]
        .filter(({ id, status }) => status === 'active' && id !== task.creator.id)
        .filter(({ profile }) => task.requiredCapabilities.every((one) => profile.capabilities.includes(one)))
        .map(({ id }) => available(task, id))

const available = (task: Task, agentId: string): NewEvent => ({
  agentId,
  type: 'task.available',
  refKind: 'task',
  refId: task.id,
  actorId: task.creator.id,
  payload: { task_id: task.id },
})
