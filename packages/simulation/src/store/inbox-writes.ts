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

  const matching = ({ requiredCapabilities, creator }: Task): readonly string[] =>
    [...tables.agents.values()]
      .filter(({ id, status }) => status === 'active' && id !== creator.id)
      .filter(({ profile }) => requiredCapabilities.every((one) => profile.capabilities.includes(one)))
      .map(({ id }) => id)

  return {
    async addEvents(events, at, newId) {
      if (events.length === 0) return
      const locks = locksOf(events.map(({ agentId }) => agentId))
      await change('addEvents', locks, (own) => {
        for (const event of events) tell(own, event, newId(), at)
      })
    },
    async announceAtOnce(task, at, newId) {
      if (task.requiredCapabilities.length === 0) return true
      const chosen = matching(task)
      if (!locksOf(chosen).every(isFree)) return false
      return change('announceAtOnce', locksOf(chosen), (own) => {
        for (const agentId of chosen) tell(own, available(task, agentId), newId(), at)
        return true
      })
    },
    async announceTask(task, at, newId) {
      if (task.requiredCapabilities.length === 0) return { told: 0, done: true }
      const chosen = matching(task)
      return change('announceTask', locksOf(chosen), (own) => {
        for (const agentId of chosen) tell(own, available(task, agentId), newId(), at)
        return { told: chosen.length, done: true }
      })
    },
  }
}

const available = (task: Task, agentId: string): NewEvent => ({
  agentId,
  type: 'task.available',
  refKind: 'task',
  refId: task.id,
  actorId: task.creator.id,
  payload: { task_id: task.id },
})
