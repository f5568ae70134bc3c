import { type Endpoint, type ErrorCode, errors, limits, refusalsOf, statusOf } from '@guildhall/protocol'
import { z } from 'zod'
import { problemOfAnswer } from '../../src/http/problem-of-answer.ts'
import type { PlainAnswer } from './raw-call.ts'

/** Said by the router before it knows which endpoint is meant. */
const ANYWHERE: readonly ErrorCode[] = ['bad_request', 'not_found', 'method_not_allowed']

/** What is wrong with an answer by what is published of the endpoint; null when nothing is. `declared` is null where it is not known which one answered. */
export function problemOf(declared: Endpoint | null, answer: PlainAnswer): string | null {
  const { status, headers, text } = answer
  if (!limits.requestId.pattern.test(String(headers['x-request-id']))) return 'no request id'
  if (status === 304) return text === '' ? null : 'a 304 with a body'
  if (declared?.streams !== undefined && status === 200) return null
  if (declared?.page && isHtml(answer)) return problemOfPage(declared, status)
  if (headers['content-type'] !== 'application/json') return `content type ${headers['content-type']}`
  const body: unknown = JSON.parse(text)
  if (status >= 400) return problemOfRefusal(declared, status, body)
  if (declared === null) return null
  return status === (declared.status ?? 200) ? problemOfAnswer(declared, text) : `status ${status}`
}

const isHtml = ({ headers }: PlainAnswer): boolean => headers['content-type'] === 'text/html; charset=utf-8'

/** A page says in words what is wrong; its status is one of those that are published. */
function problemOfPage(declared: Endpoint, status: number): string | null {
  const refused = refusalsOf(declared).filter((code) => code !== 'internal_error')
  const known = [declared.status ?? 200, ...refused.map((code) => statusOf(declared, code))]
  return known.includes(status) ? null : `a page with status ${status}`
}

function problemOfRefusal(declared: Endpoint | null, status: number, body: unknown): string | null {
  const { error: code } = body as { readonly error: ErrorCode }
  if (!Object.hasOwn(errors, code)) return `the code ${code} is in no catalogue`
  if (code === 'internal_error') return 'it failed'
  const known = declared === null || refusalsOf(declared).includes(code) || ANYWHERE.includes(code)
  if (!known) return `the code ${code} is not declared`
  const expected = declared === null ? errors[code].status : statusOf(declared, code)
  if (status !== expected) return `${code} with status ${status}`
  const shape = z.strictObject({
    error: z.string(),
    message: z.string(),
    request_id: z.string(),
    ...errors[code].carries,
  })
  const read = shape.safeParse(body)
  return read.success ? null : read.error.message
}
