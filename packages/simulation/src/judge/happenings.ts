import { isPayout } from '@guildhall/server/parts'
import type { Stage } from '../people/stage.ts'
import type { Tables } from '../store/tables.ts'

/** The kinds of events of a day: a fault that never occurs proves nothing. */
export function happenings({ day, history }: Stage): ReadonlySet<string> {
  const { tables } = day.database
  const found = new Set<string>()
  for (const { request, answer } of history) {
    const proof = request.signature.slice(0, request.signature.indexOf(' '))
    if (answer.kind === 'ok') found.add(`${request.verb} by ${proof}`)
  }
  for (const { purpose, state } of tables.transfers.values()) found.add(`${purpose} ${state}`)
  for (const posting of tables.postings.values()) {
    const { reason, debit, credit, transferId } = posting
    found.add(`booked: ${reason}`)
    if (reason !== 'undone') continue
    const undone = tables.transfers.get(transferId ?? '')?.purpose
    found.add(undone === undefined ? `booked: undone, ${debit} to ${credit}` : `${undone} undone`)
  }
  for (const { network, incoming, blockNumber, transferId, coversLoss } of tables.movements.values()) {
    if (coversLoss) found.add('lost in a deep reorg, and covered')
    const isEarly = incoming && blockNumber <= (tables.watches.get(network)?.firstBlock ?? -1n)
    if (isEarly && transferId !== null) found.add('payment from before the first look')
  }
  if (day.isDeep) for (const kind of madeAgain(tables)) found.add(kind)
  for (const { id } of tables.agents.values()) for (const kind of bonding(tables, id)) found.add(kind)
  for (const { type } of tables.paymentEvents.values()) found.add(`noted: ${type}`)
  for (const { type } of tables.events.values()) found.add(`told: ${type}`)
  for (const { status, acceptedBy, escrow } of tables.tasks.values()) {
    found.add(`task ${status}${acceptedBy === null ? '' : ` by ${acceptedBy}`}`)
    if (escrow !== null) found.add(`task ${status}, escrow ${escrow.status}`)
  }
  for (const { sequence, issuedAt } of tables.checkpoints.values()) {
    const { timestamp = 0 } = tables.entries.get(String(sequence)) ?? {}
    found.add(issuedAt > timestamp ? 'attested in a quiet time' : 'attested with an append')
  }
  for (const outcome of day.database.outcomesOfSharing) found.add(outcome)
  return found
}

/** Payouts that settled twice in the books. */
function* madeAgain({ transfers, postings }: Tables): Iterable<string> {
  const undone = new Set(
    [...postings.values()].flatMap(({ reason, transferId }) => (reason === 'undone' ? [transferId] : [])),
  )
  for (const { id, purpose, state } of transfers.values()) {
    if (undone.has(id) && isPayout(purpose) && state === 'settled') yield 'payout made again after a deep reorg'
  }
}

/** How the bonds of an agent follow one another. */
function* bonding({ transfers }: Tables, agentId: string): Iterable<string> {
  const own = [...transfers.values()].filter((one) => one.agentId === agentId)
  const bonds = own.filter(({ purpose, state }) => purpose === 'bond' && state === 'settled')
  if (new Set(bonds.map(({ authorization }) => authorization.network)).size > 1) yield 'bonds on two networks'
  for (const { purpose, state, createdAt, settledAt, signature, authorization } of own) {
    if (purpose !== 'withdrawal') continue
    if (state === 'dead') yield signature === null ? 'withdrawal called off' : 'withdrawal ran out'
    if (state === 'dead' && signature === null && authorization.validBefore > 0n)
      yield 'withdrawal called off while it was signed'
    const end = settledAt ?? Number.POSITIVE_INFINITY
    if (bonds.some((bond) => bond.createdAt > createdAt && bond.createdAt < end))
      yield 'bond posted during a withdrawal'
  }
}
