import type { z } from 'zod'
import { type ErrorCode, errors } from './errors.ts'
import type { TaskAction } from './signing/wallet-statement.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * `agent`: signed by a registered agent; `optional`: signed or anonymous; `manage`: by manage token or paying wallet;
 * `owner`: a person who is signed in, by the session's cookie; `none`: public.
 */
export type Auth = 'none' | 'optional' | 'agent' | 'manage' | 'owner'

export type RateLimit = {
  readonly name: string
  readonly per: 'ip' | 'agent' | 'owner' | 'address'
  /**
   * `tries`: every well-formed call counts (and validly signed, where signing is required), even if it is refused, because it
   * could be a guess or cause work. `done`: only calls that were carried out count, in their own transaction.
   */
  readonly counts: 'tries' | 'done'
  readonly points: number
  readonly windowMs: number
  /** For calls without a signature, counted per network. */
  readonly unsigned?: { readonly name: string; readonly points: number }
}

/** The limit that applies to a caller. */
export const limitFor = (limit: RateLimit, signed: boolean): RateLimit =>
  signed || limit.unsigned === undefined ? limit : { ...limit, ...limit.unsigned }

/** One endpoint, declared once: router, validation, OpenAPI, SDK and docs read it. */
export type Endpoint<
  P extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
  B extends z.ZodType = z.ZodType,
  R extends z.ZodType = z.ZodType,
> = {
  readonly area: string
  readonly method: Method
  readonly path: string
  readonly alsoAt?: readonly string[]
  readonly summary: string
  readonly auth: Auth
  /** What a `manage` call does to its task: the word that the paying wallet signs. */
  readonly manages?: TaskAction
  readonly params?: P
  readonly query?: Q
  /** The code for a malformed value of one query parameter, where the specification names it. */
  readonly queryErrors?: Readonly<Record<string, ErrorCode>>
  readonly body?: B
  /** The code for an invalid body, where the specification names another than `bad_request`. */
  readonly bodyError?: ErrorCode
  /** A call without any body is taken as an empty object. */
  readonly bodyOptional?: boolean
  /** A call without a body has its own meaning: the handler gets undefined. */
  readonly bodyMayBeMissing?: boolean
  /** The body is an HTML form: application/x-www-form-urlencoded. */
  readonly form?: boolean
  readonly returns: R
  /** Answers and refuses with HTML, for a person's browser. */
  readonly page?: boolean
  /** Paths at which the Accept header may ask for a text of another type, with those types. */
  readonly textsAt?: Readonly<Record<string, readonly string[]>>
  /** The answer is a stream of this type; each item is what `returns` says. */
  readonly streams?: 'text/event-stream'
  readonly status?: 200 | 201 | 202
  readonly refuses: readonly ErrorCode[]
  /** Where the specification gives a code another status at this endpoint than in the catalogue. */
  readonly statuses?: Readonly<Partial<Record<ErrorCode, number>>>
  /** Further request headers that are read, with their meaning. */
  readonly headers?: Readonly<Record<string, string>>
  /** Takes PAYMENT-SIGNATURE, answers with PAYMENT-REQUIRED or PAYMENT-RESPONSE, and may refuse whatever PAID names. */
  readonly paid?: boolean
  readonly limit?: RateLimit
  /** In addition, the limit per mail address that the call is about. */
  readonly addressLimit?: RateLimit
  /** `public`: anyone may store it and revalidate it by ETag; `private`: never stored. */
  readonly caching?: 'public' | 'private'
  /** With public caching: how long a stored answer may be used without revalidation. */
  readonly maxAgeSeconds?: number
  readonly deprecated?: boolean
  /** Exists only in a sandbox. */
  readonly sandboxOnly?: boolean
}

/** Keeps the exact type of the declaration: handler and client types are derived from it. */
export const endpoint = <const D extends Endpoint>(declaration: D): D => declaration

const SIGNED: readonly ErrorCode[] = ['auth_required', 'invalid_signature', 'timestamp_out_of_range', 'unknown_agent']

/** Every POST takes an Idempotency-Key, except a browser's forms. */
export const isRepeatable = ({ method, page }: Endpoint): boolean => method === 'POST' && !page

/** Public reads have an ETag, even if they may not be cached. */
export const isPublicRead = ({ method, auth, caching, page }: Endpoint): boolean =>
  method === 'GET' && !page && (caching === 'public' || (auth === 'none' && caching === undefined))

/** Said before anybody knows which endpoint is asked, and so always as JSON. */
const UNREAD: ReadonlySet<ErrorCode> = new Set(['request_timeout', 'headers_too_large'])
export const isUnread = (code: ErrorCode): boolean => UNREAD.has(code)

/** Possible at any endpoint: a repeated header, an unexpected body, a fault of ours. */
const ANYWHERE: readonly ErrorCode[] = [
  ...UNREAD,
  'bad_request',
  'payload_too_large',
  'unsupported_media_type',
  'internal_error',
  'service_unavailable',
]

const REPEATABLE: readonly ErrorCode[] = [
  'idempotency_in_progress',
  'idempotency_answer_lost',
  'idempotency_key_reused',
]

const MANAGED: readonly ErrorCode[] = [
  'not_found',
  'auth_required',
  'invalid_token',
  'wallet_proof_invalid',
  'wallet_proof_reused',
  'wallet_proof_unavailable',
]

const PAID: readonly ErrorCode[] = [
  'payments_unavailable',
  'bounty_unsupported_network',
  'payment_required',
  'payment_malformed',
  'payment_invalid',
  'insufficient_funds',
  'authorization_reused',
  'payment_identifier_reused',
  'facilitator_unavailable',
]

/** All codes with which an endpoint may refuse: its own, and those that its declaration implies. */
export const refusalsOf = (declared: Endpoint): readonly ErrorCode[] => [
  ...new Set([...declared.refuses, ...impliedRefusals(declared)]),
]

function impliedRefusals(declared: Endpoint): ReadonlySet<ErrorCode> {
  const codes = new Set<ErrorCode>()
  if (declared.auth === 'agent' || declared.auth === 'optional') for (const code of SIGNED) codes.add(code)
  if (declared.auth === 'manage') for (const code of MANAGED) codes.add(code)
  if (declared.auth === 'agent' && declared.method !== 'GET') codes.add('signature_replayed')
  if (declared.auth === 'owner') codes.add('auth_required')
  if (declared.auth === 'owner' && declared.method !== 'GET') codes.add('csrf_failed')
  for (const code of Object.values(declared.queryErrors ?? {})) codes.add(code)
  if (declared.bodyError) codes.add(declared.bodyError)
  if (declared.limit || declared.addressLimit) codes.add('rate_limited')
  if (isRepeatable(declared)) for (const code of REPEATABLE) codes.add(code)
  if (declared.paid) for (const code of PAID) codes.add(code)
  for (const code of ANYWHERE) codes.add(code)
  return codes
}

/** Where a wallet proof replaces a sign-in, a failed proof has the status of a failed sign-in. */
const WALLET_PROOFS: ReadonlySet<ErrorCode> = new Set(['wallet_proof_invalid', 'wallet_proof_reused'])

/**
 * `statuses` of an endpoint applies to its own refusals only: what is refused before the endpoint runs has the catalogue's
 * status.
 */
export const statusOf = (declared: Endpoint, code: ErrorCode, byEndpoint = true): number =>
  (byEndpoint ? declared.statuses?.[code] : undefined) ??
  (declared.auth === 'manage' && WALLET_PROOFS.has(code) ? 401 : errors[code].status)

/** Every status with which an endpoint may answer a code: its own, and that of a refusal before it runs. */
export const statusesOf = (declared: Endpoint, code: ErrorCode): readonly number[] => [
  ...new Set([
    ...(declared.refuses.includes(code) ? [statusOf(declared, code)] : []),
    ...(impliedRefusals(declared).has(code) ? [statusOf(declared, code, false)] : []),
  ]),
]
