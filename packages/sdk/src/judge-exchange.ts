import type { Exchange } from './exchange.ts'
import { GuildhallError, isGuildhallError } from './guildhall-error.ts'
import { localErrors } from './local-errors.ts'
import { isMaybeDone, NOTHING_DONE, readAnswer } from './read-answer.ts'

/** The state of a call when an exchange ends. */
export type Progress = {
  readonly changes: boolean
  readonly signed: boolean
  readonly attemptsLeft: number
  /** An earlier attempt got no conclusive answer, and may have been carried out. */
  readonly lost: boolean
  readonly clockCorrected: boolean
  readonly payment: string | null
  /** The payment was signed for this call, so nothing else can have used it. */
  readonly paidHere: boolean
  /** The endpoint takes payments. */
  readonly paid: boolean
  /** The task that was paid for tells what the answer would have told. */
  readonly inTask: boolean
  /** The call has an Idempotency-Key: it takes effect once, however often it is sent. */
  readonly keyed: boolean
}

/** What to do after an exchange. */
export type Verdict =
  | { readonly do: 'return'; readonly body: unknown }
  | { readonly do: 'throw'; readonly error: Error }
  | { readonly do: 'repeat'; readonly lost: boolean; readonly afterSeconds: number | null }
  | { readonly do: 'correct clock'; readonly serverSeconds: number }
  | { readonly do: 'pay'; readonly refusal: GuildhallError }
  | { readonly do: 'look at task'; readonly taskId: string }

/** Longer waits are left to the caller. */
const LONGEST_WAIT_SECONDS = 30

export function judgeExchange(exchange: Exchange, progress: Progress): Verdict {
  if (exchange.kind !== 'answer') return judgeSilence(exchange.kind, exchange.cause, progress)
  const answer = readAnswer(exchange)
  return 'body' in answer ? { do: 'return', body: answer.body } : judgeRefusal(answer.error, progress)
}

/**
 * After silence, a change is sent again only if the service recognises the repeat: by its signature, which counts once, by its
 * payment, which is spent once, or by its key.
 */
function judgeSilence(
  kind: 'not sent' | 'lost',
  cause: unknown,
  progress: Progress,
  afterSeconds: number | null = null,
): Verdict {
  const lost = kind === 'lost' && progress.changes
  const recognised = progress.signed || progress.payment !== null || progress.keyed
  const soon = (afterSeconds ?? 0) <= LONGEST_WAIT_SECONDS
  if (progress.attemptsLeft > 0 && soon && (!lost || recognised)) return { do: 'repeat', lost, afterSeconds }
  if (lost || progress.lost) return unknown('perhaps', cause, progress)
  const parts = { code: 'no_answer', message: localErrors.no_answer, fields: {}, retryable: true, cause } as const
  return { do: 'throw', error: new GuildhallError(parts) }
}

function judgeRefusal(error: GuildhallError, progress: Progress): Verdict {
  if (isGuildhallError(error, 'timestamp_out_of_range') && maySignAgain(progress)) {
    return { do: 'correct clock', serverSeconds: error.fields.server_time }
  }
  if (progress.changes && isMaybeDone(error)) return judgeSilence('lost', error, progress, error.retryAfterSeconds)
  const passes = NOTHING_DONE.has(error.code) || error.code === 'idempotency_in_progress'
  if (passes && mayWait(error, progress)) {
    return { do: 'repeat', lost: false, afterSeconds: error.retryAfterSeconds }
  }
  // Not sent again: what failed in the service would fail again, and its operators should hear of it.
  if (progress.changes && error.code === 'internal_error') return unknown('perhaps', error, progress)
  if (isGateway(error) || (progress.changes && isGarbled(error))) return judgeSilence('lost', error, progress)
  if (isGuildhallError(error, 'payment_required') && progress.paid && progress.payment === null) {
    return { do: 'pay', refusal: error }
  }
  if (isGuildhallError(error, 'authorization_reused') && error.fields.task_id && progress.payment !== null) {
    const ours = progress.lost && progress.paidHere && progress.inTask
    return ours ? { do: 'look at task', taskId: error.fields.task_id } : { do: 'throw', error }
  }
  if (error.code === 'idempotency_answer_lost') return unknown('yes', error, progress)
  if (progress.lost) return unknown(isOnRecord(error, progress) ? 'yes' : 'perhaps', error, progress)
  return { do: 'throw', error }
}

/** The service knows the request by its signature, or by its payment. */
const isOnRecord = (error: GuildhallError, { paidHere }: Progress): boolean =>
  error.code === 'signature_replayed' || (error.code === 'authorization_reused' && paidHere)

/** A new signature could execute a lost request twice, unless its payment is spent only once or its key counts once. */
const maySignAgain = (progress: Progress): boolean =>
  progress.signed && !progress.clockCorrected && (!progress.lost || progress.payment !== null || progress.keyed)

const mayWait = (error: GuildhallError, progress: Progress): boolean =>
  progress.attemptsLeft > 0 && (error.retryAfterSeconds ?? 0) <= LONGEST_WAIT_SECONDS

/** A proxy answered instead of the service; the outcome of the request is unknown. */
const isGateway = (error: GuildhallError): boolean =>
  error.code === 'unexpected_answer' && error.status >= 502 && error.status <= 504

/** A success that cannot be read, or a failure that is not the service's own: the request may have been carried out before. */
const isGarbled = (error: GuildhallError): boolean =>
  error.code === 'unexpected_answer' && (error.status >= 500 || (error.status >= 200 && error.status < 300))

function unknown(carriedOut: 'yes' | 'perhaps', cause: unknown, progress: Progress): Verdict {
  const fields = { carried_out: carriedOut, payment: progress.payment }
  return {
    do: 'throw',
    error: new GuildhallError({ code: 'outcome_unknown', message: localErrors.outcome_unknown, fields, cause }),
  }
}
