import { limits } from '@guildhall/protocol'
import type { Attempt } from '../../actions/hold-key.ts'
import type { HeldKey, RepeatKey } from '../../domain/idempotency/held-key.ts'
import { refuse } from '../../domain/refusal.ts'
import type { Log } from '../../ports/log.ts'
import type { Repeat } from './read-repeat.ts'
import { openAnswer, sealAnswer, type WireAnswer } from './seal-answer.ts'

/** Where keys and the answers to their requests are kept; all nodes share it. */
export type Repetition = {
  /** The service's own: without it neither keys nor answers can be told from what is stored. */
  readonly secret: Uint8Array
  hold(key: RepeatKey): Promise<Attempt>
  keep(held: HeldKey, sealed: Uint8Array): Promise<void>
  release(held: HeldKey): Promise<void>
  /** Counts one more key that was shown with a payment, and gives how many there were of late. */
  countTry(payment: string): Promise<number>
}

const REPLAYED = { 'Idempotent-Replayed': 'true' }

export const isReplayed = ({ headers }: WireAnswer): boolean => 'Idempotent-Replayed' in headers

/**
 * Carries out a request once. Its repeats get the answer that it got, if that was a success; anything else wrote nothing and
 * leaves the key free, so that the same key comes back with a payment or a corrected request.
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
      // A payment is spent once whatever happens: whoever shows it again is told what it paid for.
      return repeat.key.payment === null ? refuse('idempotency_answer_lost') : carryOut(null)
  }
}

/**
 * A settled payment stands on the chain, signature and all: from then on the key alone keeps the answer, and the manage token in
 * it, from whoever tries keys. After some tries no key opens it; the payment itself is told what it paid for.
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

/** How a caller stands towards a limit is true only at the moment. */
const lastingPart = ({ headers, ...answer }: WireAnswer): WireAnswer => ({
  ...answer,
  headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !name.toLowerCase().startsWith('ratelimit'))),
})

/** What happened has happened: the caller is told, even when the record of it could not be written. */
const unlessLost = (log: Log, writing: Promise<void>): Promise<void> =>
  writing.catch((error: unknown) =>
    log.warn('the record of an Idempotency-Key could not be written', { error: String(error) }),
  )
