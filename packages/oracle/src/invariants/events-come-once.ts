import type { Books } from '../books/read-books.ts'
import type { EventRow, TaskRow } from '../books/rows.ts'
import type { Invariant } from '../invariant.ts'

/** I10: inboxes have no gaps, and each thing that happened is told once to each whom it concerns. */
export const eventsComeOnce: Invariant = {
  name: 'I10 events come once',
  *broken({ books }) {
    yield* wrongPositions(books)
    const told = tellings(books.events)
    for (const task of books.tasks) yield* wrongTellings(books, task, told)
    for (const { id, expired_claims } of books.agents) {
      const times = books.events.filter((event) => event.agent_id === id && event.type === 'task.claim_expired').length
      if (times !== expired_claims) yield `agent ${id} let ${expired_claims} claims expire and was told ${times} times`
    }
  },
}

function* wrongPositions({ inboxes, events, agents }: Books): Iterable<string> {
  const byAgent = Map.groupBy(events, ({ agent_id }) => agent_id)
  if (inboxes.length !== agents.length) yield `${agents.length} agents have ${inboxes.length} inboxes`
  for (const { agent_id, last_position, unread } of inboxes) {
    const own = byAgent.get(agent_id) ?? []
    const gap = own.findIndex(({ position }, index) => position !== BigInt(index + 1))
    if (gap !== -1) yield `the inbox of ${agent_id} has a gap before position ${own[gap]?.position}`
    if (BigInt(own.length) !== last_position) {
      yield `the inbox of ${agent_id} ends at ${last_position} and holds ${own.length} events`
    }
    const open = BigInt(own.filter(({ read_at }) => read_at === null).length)
    if (open !== unread) yield `the inbox of ${agent_id} has ${open} unread events, but says ${unread}`
  }
}

type Told = ReadonlyMap<string, number>
const keyOf = (agentId: string, type: string, taskId: string): string => `${agentId} ${type} ${taskId}`

function tellings(events: readonly EventRow[]): Told {
  const groups = Map.groupBy(events, ({ agent_id, type, ref_id }) => keyOf(agent_id, type, ref_id))
  return new Map([...groups].map(([key, several]) => [key, several.length]))
}

function* wrongTellings(books: Books, task: TaskRow, told: Told): Iterable<string> {
  const creator = task.creator_kind === 'agent' ? task.creator_id : null
  const noted = (type: string) =>
    books.paymentEvents.filter((event) => event.task_id === task.id && event.type === type).length
  const deposits = books.postings.filter(({ task_id, reason }) => task_id === task.id && reason === 'deposit').length
  const accepted = task.status === 'verified' ? 1 : 0
  const expected: readonly [agentId: string | null, type: string, times: number][] = [
    [creator, 'task.escrow_funded', deposits],
    [creator, 'task.escrow_refunded', noted('escrow_refunded')],
    [creator, 'task.payment_settled', noted('settled')],
    [task.claimed_by, 'task.payment_settled', noted('settled')],
    [creator, 'task.delivered', task.receipts_count],
    [creator, 'task.expired', task.status === 'expired' ? 1 : 0],
    [task.claimed_by, 'task.verified', accepted],
    [creator, 'task.verified', task.accepted_by === 'auto' ? accepted : 0],
  ]
  for (const [agentId, type, times] of expected) {
    if (agentId === null) continue
    const found = told.get(keyOf(agentId, type, task.id)) ?? 0
    if (found !== times) yield `${agentId} was told ${type} of ${task.id} ${found} times instead of ${times}`
  }
}
