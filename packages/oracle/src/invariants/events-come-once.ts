import { countBy } from '../books/count-by.ts'
import type { Books } from '../books/read-books.ts'
import type { TaskRow } from '../books/rows.ts'
import type { Invariant } from '../invariant.ts'

/** I10: inboxes have no gaps, and everything that happened is told once to each agent that it concerns. */
export const eventsComeOnce: Invariant = {
  name: 'I10 events come once',
  *broken({ books }) {
    yield* wrongPositions(books)
    yield* wrongTellings(books)
    const lapses = books.events.filter(({ type }) => type === 'task.claim_expired')
    const told = countBy(lapses, ({ agent_id }) => agent_id)
    for (const { id, expired_claims } of books.agents) {
      const times = told.get(id) ?? 0
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

const keyOf = (...parts: readonly string[]): string => parts.join(' ')

function* wrongTellings({ tasks, events, paymentEvents, postings }: Books): Iterable<string> {
  const told = countBy(events, ({ agent_id, type, ref_id }) => keyOf(agent_id, type, ref_id))
  const toldInAll = countBy(events, ({ type, ref_id }) => keyOf(type, ref_id))
  const noted = countBy(paymentEvents, ({ task_id, type }) => keyOf(task_id, type))
  const deposits = countBy(
    postings.filter(({ reason }) => reason === 'deposit'),
    ({ task_id }) => task_id,
  )
  for (const task of tasks) {
    const inAll = (type: string) => toldInAll.get(keyOf(type, task.id)) ?? 0
    const happened = {
      deposits: deposits.get(task.id) ?? 0,
      lapses: inAll('task.claim_expired'),
      noted: (type: string) => noted.get(keyOf(task.id, type)) ?? 0,
    }
    for (const [agentId, type, times] of expectedTellings(task, happened)) {
      if (agentId === null) continue
      const found = told.get(keyOf(agentId, type, task.id)) ?? 0
      if (found !== times) yield `${agentId} was told ${type} of ${task.id} ${found} times instead of ${times}`
    }
    for (const [type, times] of expectedOfClaimers(task, happened)) {
      if (inAll(type) !== times) yield `${type} was told of ${task.id} ${inAll(type)} times instead of ${times}`
    }
  }
}

type Happened = {
  readonly deposits: number
  readonly lapses: number
  /** How often the payment history names this. */
  readonly noted: (type: string) => number
}

/**
 * Whoever held the task then was told: after a claim that lapsed, another agent may hold it. A free task has no payment history,
 * which alone remembers how often it was disputed.
 */
const expectedOfClaimers = (task: TaskRow, { noted }: Happened): readonly [type: string, times: number][] => [
  ['task.submitted', task.receipts_count],
  ['task.revision_requested', task.revision_count],
  ...(task.bounty_amount === null ? [] : [['task.disputed', noted('disputed')] as [string, number]]),
  ['task.cancelled', task.status === 'cancelled' && task.claimed_by !== null ? 1 : 0],
]

type Telling = readonly [agentId: string | null, type: string, times: number]

function expectedTellings(task: TaskRow, { deposits, lapses, noted }: Happened): readonly Telling[] {
  const creator = task.creator_kind === 'agent' ? task.creator_id : null
  const accepted = task.status === 'verified' ? 1 : 0
  return [
    [creator, 'task.claimed', lapses + (task.claimed_by === null ? 0 : 1)],
    [creator, 'task.escrow_funded', deposits],
    [creator, 'task.escrow_refunded', noted('escrow_refunded')],
    [creator, 'task.payment_settled', noted('settled')],
    [task.claimed_by, 'task.payment_settled', noted('settled')],
    [creator, 'task.delivered', task.receipts_count],
    [creator, 'task.expired', task.status === 'expired' ? 1 : 0],
    [task.claimed_by, 'task.verified', accepted],
    [creator, 'task.verified', task.accepted_by === 'auto' ? accepted : 0],
  ]
}
