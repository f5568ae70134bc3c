import type { ErrorCode } from '@guildhall/protocol'
import {
  GuildhallError,
  type GuildhallErrorCode,
  type GuildhallErrorParts,
  isGuildhallError,
} from './guildhall-error.ts'
import { localErrors } from './local-errors.ts'

type HttpAnswer = { readonly status: number; readonly headers: Headers; readonly text: string }

/** The body of an answer, or the error it stands for. */
export function readAnswer(answer: HttpAnswer): { readonly body: unknown } | { readonly error: GuildhallError } {
  const body = parseJson(answer.text)
  if (answer.status >= 200 && answer.status < 300 && isRecord(body)) return { body }
  return { error: isRecord(body) && typeof body.error === 'string' ? refusal(answer, body) : unexpected(answer) }
}

/** Codes that mean that nothing was done, so the same request may be sent again; see `isMaybeDone` for the exception. */
export const NOTHING_DONE: ReadonlySet<GuildhallErrorCode> = new Set<ErrorCode>([
  'service_unavailable',
  'facilitator_unavailable',
  'wallet_proof_unavailable',
])

/** The service lost its database during the change: treated like no answer. */
export const isMaybeDone = (error: GuildhallError): boolean =>
  isGuildhallError(error, 'service_unavailable') && error.fields.maybe_done === true

const PASSING: ReadonlySet<string> = new Set<ErrorCode>([
  'rate_limited',
  'escrow_not_funded',
  'settlement_in_progress',
  'payment_in_flight',
  'idempotency_in_progress',
])

function refusal(answer: HttpAnswer, body: Readonly<Record<string, unknown>>): GuildhallError {
  const { error, message, request_id: requestId, ...fields } = body
  const code = error as ErrorCode
  return new GuildhallError({
    code,
    message: `${code}: ${typeof message === 'string' ? message : `the service answered ${answer.status}`}`,
    fields,
    status: answer.status,
    requestId: typeof requestId === 'string' ? requestId : answer.headers.get('x-request-id'),
    retryable: fields.maybe_done !== true && (NOTHING_DONE.has(code) || PASSING.has(code)),
    retryAfterSeconds: retryAfter(answer.headers),
  } as GuildhallErrorParts<ErrorCode>)
}

const SHOWN_CHARACTERS = 500

function unexpected(answer: HttpAnswer): GuildhallError {
  return new GuildhallError({
    code: 'unexpected_answer',
    message: `${localErrors.unexpected_answer} (status ${answer.status})`,
    fields: { body: answer.text.slice(0, SHOWN_CHARACTERS) },
    status: answer.status,
    requestId: answer.headers.get('x-request-id'),
    retryAfterSeconds: retryAfter(answer.headers),
  })
}

function retryAfter(headers: Headers): number | null {
  const text = headers.get('retry-after') ?? ''
  return /^\d{1,9}$/.test(text) ? Number(text) : null
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
