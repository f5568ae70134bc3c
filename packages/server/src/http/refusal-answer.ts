import { type ErrorCode, errors, statusOf } from '@guildhall/protocol'
import type { Refusal } from '../domain/refusal.ts'
import type { Exchange } from './exchange.ts'
import { REFUSED } from './response-heads.ts'
import { send } from './send.ts'

/** Seconds after which it makes sense to try again, where the refusal is a matter of time. */
const RETRY_AFTER: Partial<Record<ErrorCode, string>> = {
  service_unavailable: '1',
  facilitator_unavailable: '5',
  wallet_proof_unavailable: '5',
  idempotency_in_progress: '1',
}

/** Answers with the code, what to do about it, and the fields that it carries. */
export function sendRefusal(exchange: Exchange, { code, message, fields }: Refusal): void {
  const { route } = exchange
  const status = route === null ? errors[code].status : statusOf(route.declared, code)
  const retryAfter = RETRY_AFTER[code]
  if (retryAfter !== undefined) exchange.extra.push('Retry-After', retryAfter)
  if (status === 402) exchange.extra.push('PAYMENT-REQUIRED', paymentRequiredHeader(code, fields))
  const head = route === null ? REFUSED : route.refusalHead
  send(exchange, status, head, refusalText(code, message, exchange.requestId, fields))
}

export const refusalText = (
  code: ErrorCode,
  message: string,
  requestId: string,
  fields: Readonly<Record<string, unknown>> = {},
): string => JSON.stringify({ error: code, message, request_id: requestId, ...fields })

/** What an x402 client reads: the payment part of the body, without our own fields. */
function paymentRequiredHeader(code: ErrorCode, fields: Readonly<Record<string, unknown>>): string {
  const { x402Version, resource, accepts, extensions } = fields
  return Buffer.from(JSON.stringify({ x402Version, error: code, resource, accepts, extensions })).toString('base64')
}
