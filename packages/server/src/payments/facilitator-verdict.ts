import type { Hex } from '../domain/transfer/transfer.ts'
import type { SettleOutcome, VerifyOutcome } from '../ports/facilitator.ts'
import type { HttpAnswer } from './post-json.ts'

type Fields = Readonly<Record<string, unknown>>

/** What may be told to clients as it is. Other text may reveal the facilitator's internals. */
const CODE = /^[A-Za-z][A-Za-z0-9_]{0,99}$/

/**
 * Reads a facilitator's answer to /verify. A verdict counts under any HTTP status, except that a yes needs a 2xx. It need not
 * name the payer, whose signature is checked here anyway; but one that names another is about another payment.
 */
export function readVerifyAnswer(answer: HttpAnswer, payer: Hex): VerifyOutcome {
  if (answer.kind === 'failed') return { kind: 'unavailable', cause: answer.cause }
  const body = fieldsOf(answer.body)
  if (body.isValid === false && isVerdict(body.invalidReason)) {
    return { kind: 'invalid', reason: readReason(body.invalidReason) }
  }
  if (body.isValid !== true || !isSuccess(answer.status)) {
    return { kind: 'unavailable', cause: `HTTP ${answer.status} without a verdict` }
  }
  const named = String(body.payer ?? payer)
  if (named.toLowerCase() !== payer.toLowerCase()) return { kind: 'unavailable', cause: 'payer mismatch' }
  return { kind: 'valid', payer }
}

/** Reads a facilitator's answer to /settle; anything unclear is unknown. */
export function readSettleAnswer(answer: HttpAnswer): SettleOutcome {
  if (answer.kind === 'failed') return { kind: 'unknown', cause: answer.cause }
  const body = fieldsOf(answer.body)
  const txHash = readHash(body.transaction)
  if (body.success === true && isSuccess(answer.status) && txHash !== null) return { kind: 'settled', txHash }
  if (body.success === false && body.errorReason === 'settlement_pending') return { kind: 'pending', txHash }
  if (body.success === false && isVerdict(body.errorReason)) {
    return { kind: 'rejected', reason: readReason(body.errorReason) }
  }
  if (answer.status === 202) return { kind: 'pending', txHash }
  return { kind: 'unknown', cause: `HTTP ${answer.status} without a verdict` }
}

/** `unexpected_…` means that the facilitator failed, not that the payment is bad. */
const isVerdict = (reason: unknown): reason is string =>
  typeof reason === 'string' && reason !== '' && !reason.startsWith('unexpected_')

/** Facilitators use different reasons; two of them are mapped to ours, and what is no code to one of ours. */
function readReason(reason: string): string {
  if (reason.includes('insufficient')) return 'insufficient_funds'
  if (reason.includes('nonce_already_used')) return 'already_used'
  return CODE.test(reason) ? reason : 'refused_by_facilitator'
}

const readHash = (value: unknown): Hex | null =>
  typeof value === 'string' && /^0x[0-9a-fA-F]{64}$/.test(value) ? (value.toLowerCase() as Hex) : null

const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {})

const isSuccess = (status: number): boolean => status >= 200 && status < 300
