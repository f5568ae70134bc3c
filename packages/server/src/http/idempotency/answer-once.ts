import { limits } from '@guildhall/protocol'
import type { Attempt, KnownPayment } from '../../actions/hold-key.ts'
import type { HeldKey, RepeatKey } from '../../domain/idempotency/held-key.ts'
import { refuse } from '../../domain/refusal.ts'
import type { Log } from '../../ports/log.ts'
import type { Repeat } from './read-repeat.ts'
import { openAnswer, sealAnswer, type WireAnswer } from './seal-answer.ts'

/** Where keys and the answers to their requests are kept; all nodes share it. */
export type Repetition = {
  /** The service's own secret: without it, stored keys and answers cannot be read. */
  readonly secret: Uint8Array
  hold(key: RepeatKey): Promise<Attempt>
  keep(held: HeldKey, sealed: Uint8Array): Promise<void>
  release(held: HeldKey): Promise<void>
  /** Counts another key tried with this payment, and returns the recent number of tries. */
  countTry(payment: KnownPayment): Promise<number>
}

const REPLAYED = { 'Idempotent-Replayed': 'true' }

/**
 * Runs a request once. Its repeats get the same answer, if it was a success; any other outcome wrote nothing and leaves the key
 * free for the same request with a payment, or a corrected one.
 */
export async function answerOnce(
  repetition: Repetition,
  log: Log,
  repeat: Repeat,
  carryOut: (held: HeldKey | null) => Promise<WireAnswer>,
): Promise<WireAnswer> {
  if (await isGuessing(repetition, repeat)) return carryOut(null)
  const attempt = await repetition.hold(repeat.key)
  switch (attempt.kind) {
    case 'held':
      return carryOutHolding(repetition, log, repeat, attempt.held, carryOut)
    case 'answered': {
      const first = openAnswer(repeat.answerKey, attempt.answer)
      return { ...first, headers: { ...first.headers, ...REPLAYED } }
    }
    case 'running':
      return refuse('idempotency_in_progress')
    case 'other request':
      return refuse(repeat.source === 'Idempotency-Key' ? 'idempotency_key_reused' : 'payment_identifier_reused')
    case 'answer lost':
      // A payment can only be spent once, so running again is safe: it answers with what the payment bought.
      return repeat.key.payment === null ? refuse('idempotency_answer_lost') : carryOut(null)
  }
}

/**
 * A settled payment is public on the chain, with its signature: from then on only the idempotency key protects the answer and the
 * manage token in it. After `triesPerPayment` keys no key opens it; the payment alone still gets what it bought.
 */
const isGuessing = async ({ countTry }: Repetition, { payerKnownBy }: Repeat): Promise<boolean> =>
  payerKnownBy !== null && (await countTry(payerKnownBy)) > limits.idempotencyKey.triesPerPayment

async function carryOutHolding(
  repetition: Repetition,
  log: Log,
  { answerKey }: Repeat,
  held: HeldKey,
  carryOut: (held: HeldKey) => Promise<WireAnswer>,
): Promise<WireAnswer> {
  let answer: WireAnswer
  try {
    answer = await carryOut(held)
  } catch (error) {
    await unlessLost(log, repetition.release(held))
    throw error
  }
  await unlessLost(log, repetition.keep(held, sealAnswer(answerKey, lastingPart(answer))))
  return answer
}

/** Without the rate limit headers, which are true only at the moment. */
const lastingPart = ({ headers, ...answer }: WireAnswer): WireAnswer => ({
  ...answer,
  headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !name.toLowerCase().startsWith('ratelimit'))),
})

/** The change has happened: the caller gets the answer, even if it could not be stored for repeats. */
const unlessLost = (log: Log, writing: Promise<void>): Promise<void> =>
  writing.catch((error: unknown) =>
    log.warn('the record of an Idempotency-Key could not be written', { error: String(error) }),
  )
