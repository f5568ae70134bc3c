import type { Stage } from '../people/stage.ts'

/** The kinds of events of a day: a fault that never occurs proves nothing. */
export function happenings({ day, history }: Stage): ReadonlySet<string> {
  const { tables } = day.database
  const found = new Set<string>()
  for (const { request, answer } of history) {
    const proof = request.signature.slice(0, request.signature.indexOf(' '))
    if (answer.kind === 'ok') found.add(`${request.verb} by ${proof}`)
  }
  for (const { purpose, state } of tables.transfers.values()) found.add(`${purpose} ${state}`)
  for (const { reason } of tables.postings.values()) found.add(`booked: ${reason}`)
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
  return found
}
