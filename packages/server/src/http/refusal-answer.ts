import { type Auth, type ErrorCode, errors, statusOf } from '@guildhall/protocol'
import { refusalPage } from '@guildhall/web'
import { OverLimit } from '../domain/rate-limit/over-limit.ts'
import type { Refusal } from '../domain/refusal.ts'
import type { Exchange } from './exchange.ts'
import { policyText, standingHeader } from './rate-limit.ts'
import { HTML_HEAD } from './response-heads.ts'
import { send } from './send.ts'

/** Retry-After in seconds, for refusals that pass with time. */
const RETRY_AFTER: Partial<Record<ErrorCode, string>> = {
  service_unavailable: '1',
  facilitator_unavailable: '5',
  wallet_proof_unavailable: '5',
  skill_registry_unavailable: '5',
  idempotency_in_progress: '1',
}

/** The scheme of Authorization that a 401 asks for. An owner's cookie is none: the browser has it, or has to sign in. */
const CHALLENGE: Partial<Record<Auth, string>> = { agent: 'AgentSig', optional: 'AgentSig', manage: 'Bearer' }

/** Where no endpoint was reached, it was because nobody can tell what an agent has signed. */
const authOf = ({ route }: Exchange, code: ErrorCode): Auth =>
  route?.declared.auth ?? (code === 'invalid_signature' ? 'agent' : 'none')

/** A refusal may quote the request, which can be of any length. */
const MOST_CHARACTERS = 500

/** Answers with the code, what to do about it, and the fields that it carries. */
export function sendRefusal(exchange: Exchange, refused: Refusal): void {
  const { code, fields } = refused
  const { route, requestId } = exchange
  const message = shortened(refused.message)
  const status = route === null ? errors[code].status : statusOf(route.declared, code, exchange.handling)
  const retryAfter = fields.retry_after_seconds ?? RETRY_AFTER[code]
  if (retryAfter !== undefined) exchange.extra.push('Retry-After', String(retryAfter))
  const challenge = status === 401 ? CHALLENGE[authOf(exchange, code)] : undefined
  if (challenge !== undefined) exchange.extra.push('WWW-Authenticate', challenge)
  if (refused instanceof OverLimit) exchange.extra.push(...usedUp(refused))
  const terms = status === 402 ? termsOf(refused) : null
  if (terms !== null) exchange.extra.push('PAYMENT-REQUIRED', terms.header)
  const head = (route ?? exchange).refusalHead
  const words = terms?.words ?? wordsOf(code, message, fields)
  if (exchange.asPage) send(exchange, status, HTML_HEAD, pageOf(exchange, status, message, fields))
  else send(exchange, status, head, textFor(requestId, words), words.length + requestId.length)
}

const shortened = (message: string): string =>
  message.length > MOST_CHARACTERS ? `${message.slice(0, MOST_CHARACTERS).toWellFormed()}…` : message

/** The text of a refusal before and after the request id, and its length in bytes without the id. */
type Words = { readonly before: string; readonly after: string; readonly length: number }

function wordsOf(code: ErrorCode, message: string, fields: Refusal['fields']): Words {
  const said = JSON.stringify({ error: code, message, request_id: '' })
  const more = JSON.stringify(fields)
  const before = said.slice(0, -2)
  const after = more === '{}' ? '"}' : `",${more.slice(1)}`
  return { before, after, length: Buffer.byteLength(before) + Buffer.byteLength(after) }
}

/** An id is plain ASCII and needs no escaping. */
const textFor = (requestId: string, { before, after }: Words): string => `${before}${requestId}${after}`

export const refusalText = (
  code: ErrorCode,
  message: string,
  requestId: string,
  fields: Readonly<Record<string, unknown>> = {},
): string => textFor(requestId, wordsOf(code, message, fields))

type Terms = { readonly header: string; readonly words: Words }
const written = new WeakMap<Refusal, Terms>()

/** Terms of payment are long and the same for many callers: they are serialized once. */
function termsOf(refused: Refusal): Terms {
  const known = written.get(refused)
  if (known !== undefined) return known
  const { code, message, fields } = refused
  const terms = { header: paymentRequiredHeader(code, fields), words: wordsOf(code, shortened(message), fields) }
  written.set(refused, terms)
  return terms
}

const pageOf = ({ requestId, node }: Exchange, status: number, message: string, fields: Refusal['fields']): string =>
  refusalPage({ status, message: told(message, fields), requestId, serviceName: node.serviceName })

/** People read the first issue as a sentence; programs read `issues`. */
function told(message: string, { issues }: Refusal['fields']): string {
  const [first] = (issues ?? []) as readonly { readonly path: string; readonly message: string }[]
  return first === undefined ? message : [first.path, first.message].filter((part) => part !== '').join(': ')
}

const usedUp = ({ limit, resetSeconds }: OverLimit): readonly string[] => [
  'RateLimit-Policy',
  policyText([limit]),
  ...Object.entries(standingHeader(limit, { allowed: false, remaining: 0, resetSeconds })).flat(),
]

/** What an x402 client reads: the payment part of the body, without our own fields. */
function paymentRequiredHeader(code: ErrorCode, fields: Readonly<Record<string, unknown>>): string {
  const { x402Version, resource, accepts, extensions } = fields
  return Buffer.from(JSON.stringify({ x402Version, error: code, resource, accepts, extensions })).toString('base64')
}
