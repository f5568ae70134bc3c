import type { Task, Transaction } from '@guildhall/server/parts'
import type { Overlay, Tables } from './tables.ts'
import type { Statements } from './writes.ts'

type InboxWrites = Pick<Transaction, 'addEvents' | 'announceAtOnce' | 'announceTask'>
type NewEvent = Parameters<Transaction['addEvents']>[0][number]

/** Positions come from the inbox's own row, which stays locked until the commit. */
export function inboxWritesOf(tables: Tables, { change, isFree }: Statements): InboxWrites {
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
  }
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
