import { countBy } from '../books/count-by.ts'
import type { Books } from '../books/read-books.ts'
import type { AgentRow, TaskRow } from '../books/rows.ts'
import type { Invariant } from '../invariant.ts'

/** Running counts equal a count from the beginning. */
export const countsAreRight: Invariant = {
  name: 'counts are right',
  *broken({ books }) {
    const held = Map.groupBy(books.tasks, ({ claimed_by }) => claimed_by)
    const delivered = Map.groupBy(books.receipts, ({ agent_id }) => agent_id)
    const disputed = disputedClaims(books)
    for (const agent of books.agents) {
      const tasks = new Set(delivered.get(agent.id)?.map(({ task_id }) => task_id))
      const told = { delivered: tasks.size, disputed: disputed.get(agent.id) ?? 0 }
      yield* wrongRecord(agent, held.get(agent.id) ?? [], told)
    }
    yield* wrongReceipts(books)
    yield* wrongTallies(books)
  },
}

/** How many claims of each agent were disputed; a second dispute of the same claim counts no more. */
function disputedClaims({ events }: Books): ReadonlyMap<string, number> {
  const disputed = new Set<string>()
  const first = events.filter(({ agent_id, type, ref_id }) => {
    const claim = `${agent_id} ${ref_id}`
    if (type === 'task.claim_expired') disputed.delete(claim)
    if (type !== 'task.disputed' || disputed.has(claim)) return false
    return disputed.add(claim)
  })
  return countBy(first, ({ agent_id }) => agent_id)
}

type Told = { readonly delivered: number; readonly disputed: number }

function* wrongRecord(agent: AgentRow, held: readonly TaskRow[], told: Told): Iterable<string> {
  const verified = held.filter(({ status }) => status === 'verified')
  const rated = held.flatMap(({ rating_stars }) => (rating_stars === null ? [] : [rating_stars]))
  const lost = held.filter(
    // If the deposit was reorged away for good, the dispute counts as lost for nobody.
    ({ status, review_state, escrow_status }) =>
      status === 'cancelled' && review_state === 'disputed' && escrow_status !== 'unfunded',
  )
  const counted: readonly [keyof AgentRow, number][] = [
    ['delivered', told.delivered],
    ['disputed', told.disputed],
    ['accepted', verified.length],
    ['accepted_by_person', verified.filter(({ accepted_by }) => accepted_by === 'creator').length],
    ['lost_disputes', lost.length],
    ['rating_count', rated.length],
    ['rating_sum', rated.reduce((sum, stars) => sum + stars, 0)],
  ]
  for (const [column, count] of counted) {
    if (agent[column] !== count) yield `agent ${agent.id} has ${column} ${agent[column]}, a count gives ${count}`
  }
}

function* wrongReceipts({ tasks, receipts }: Books): Iterable<string> {
  const byTask = Map.groupBy(receipts, ({ task_id }) => task_id)
  for (const { id, receipts_count } of tasks) {
    const own = byTask.get(id) ?? []
    if (own.length !== receipts_count) yield `task ${id} has ${own.length} receipts, but counts ${receipts_count}`
    if (own.some(({ revision }, index) => revision !== index)) yield `the receipts of task ${id} have a gap`
  }
}

function* wrongTallies({ tasks, agents, tallies }: Books): Iterable<string> {
  const kept = (topic: string, item: string) =>
    tallies.find((tally) => tally.topic === topic && tally.item === item)?.amount ?? 0n
  const expect = function* (topic: string, item: string, count: bigint): Iterable<string> {
    if (kept(topic, item) !== count) yield `the tally ${topic}/${item} is ${kept(topic, item)}, a count gives ${count}`
  }
  yield* expect('agents', 'total', BigInt(agents.length))
  for (const status of ['pending', 'active', 'suspended']) {
    yield* expect('agents', status, BigInt(agents.filter((agent) => agent.status === status).length))
  }
  for (const status of ['open', 'claimed', 'submitted', 'verified', 'cancelled', 'expired']) {
    yield* expect('tasks', status, BigInt(tasks.filter((task) => task.status === status).length))
  }
  const paid = tasks.filter(({ payment_status, payment_tx }) => payment_status === 'settled' && payment_tx !== null)
  yield* expect('paid', 'count', BigInt(paid.length))
  yield* expect(
    'paid',
    'atomic',
    paid.reduce((sum, { bounty_amount }) => sum + (bounty_amount ?? 0n), 0n),
  )
}
