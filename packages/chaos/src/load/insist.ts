import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { isGuildhallError, type PaidCallOptions } from '@guildhall/sdk'
import type { Chance } from '../chance.ts'
import type { Gate } from './gate.ts'
import type { Notebook } from './notebook.ts'

/** The outcome of a request: an answer, the news that it was carried out, a refusal, or nothing because the load has ended. */
export type Outcome<A> =
  | { readonly kind: 'answered'; readonly answer: A }
  | { readonly kind: 'carried out'; readonly taskId: string | null }
  | { readonly kind: 'refused'; readonly code: string }
  | { readonly kind: 'ended' }

export type Crowd = { readonly gate: Gate; readonly chance: Chance; readonly notebook: Notebook }

/** Sends a request until its outcome is known: to either node, under one Idempotency-Key, with one payment. */
export async function insist<C, A>(
  { gate, chance, notebook }: Crowd,
  { clients }: { readonly clients: readonly [C, C] },
  send: (client: C, options: PaidCallOptions) => Promise<A>,
): Promise<Outcome<A>> {
  const idempotencyKey = randomUUID()
  let signed: string | undefined
  const onSigned = (payment: string) => {
    signed = payment
  }
  while (await gate.enter()) {
    try {
      const answer = await send(chance.pick(clients), { idempotencyKey, pay: { signed, onSigned } })
      notebook.answered += 1
      return { kind: 'answered', answer }
    } catch (error) {
      const outcome = judge(error)
      if (outcome.kind !== 'again') return outcome
      notebook.repeats.set(outcome.code, (notebook.repeats.get(outcome.code) ?? 0) + 1)
    } finally {
      gate.leave()
    }
    await pause(chance.between(50, 300))
  }
  return { kind: 'ended' }
}

function judge(error: unknown): Outcome<never> | { readonly kind: 'again'; readonly code: string } {
  if (!isGuildhallError(error)) throw error
  if (isGuildhallError(error, 'outcome_unknown') && error.fields.carried_out === 'yes') {
    return { kind: 'carried out', taskId: null }
  }
  // The payment was signed for this request only, so it was spent on it.
  if (isGuildhallError(error, 'authorization_reused')) {
    return { kind: 'carried out', taskId: error.fields.task_id ?? null }
  }
  // An internal error of the service is never acceptable, whatever was killed.
  if (isGuildhallError(error.cause, 'internal_error')) return { kind: 'refused', code: error.cause.code }
  const isFault = error.code === 'internal_error'
  const mayPass = !isFault && (error.retryable || error.status === 0 || error.status >= 500)
  // A node that was frozen has the wrong time until it learns that the clock was moved.
  const { code } = error
  return { kind: mayPass || code === 'timestamp_out_of_range' ? 'again' : 'refused', code }
}

/** A refusal of a valid request is a surprise, however often it was sent. */
export function isDone<A>(
  { notebook }: Crowd,
  what: string,
  outcome: Outcome<A>,
): outcome is Extract<Outcome<A>, { kind: 'answered' | 'carried out' }> {
  if (outcome.kind === 'refused') notebook.surprises.push(`${what} was refused with ${outcome.code}`)
  return outcome.kind === 'answered' || outcome.kind === 'carried out'
}
