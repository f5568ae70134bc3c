import { type Endpoint, SKILL_VERSION } from '@guildhall/protocol'
import { privatePageHeaders } from '@guildhall/web'

/** Header names and values in turn, as they are written; made once, not per request. */
export type Head = readonly string[]

const COMMON: Head = [
  'X-Service-Skill-Latest',
  SKILL_VERSION,
  'X-Content-Type-Options',
  'nosniff',
  'Referrer-Policy',
  'no-referrer',
]

const EXPOSED = [
  'Date',
  'ETag',
  'PAYMENT-REQUIRED',
  'PAYMENT-RESPONSE',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Deprecation',
  'Idempotent-Replayed',
  'X-Request-Id',
  'X-Service-Skill-Latest',
]
const ALLOWED = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-None-Match',
  'Last-Event-ID',
  'PAYMENT-SIGNATURE',
  'X-Nonce',
  'X-Request-Id',
  'X-Service-Cli-Version',
  'X-Service-Skill-Version',
  'X-Timestamp',
  'X-Wallet-Message',
  'X-Wallet-Signature',
]

/** Scripts of any origin may call, because no cookie authorizes anything here. Answers that depend on a cookie leave this out. */
const CROSS_ORIGIN: Head = ['Access-Control-Allow-Origin', '*', 'Access-Control-Expose-Headers', EXPOSED.join(', ')]

export const optionsHead = (allow: string): Head => [...COMMON, 'Allow', allow]

export const preflightHead = (allow: string, open: string): Head => [
  ...optionsHead(allow),
  ...CROSS_ORIGIN,
  'Access-Control-Allow-Methods',
  open,
  'Access-Control-Allow-Headers',
  ALLOWED.join(', '),
  'Access-Control-Max-Age',
  '86400',
]

const JSON_BODY: Head = ['Content-Type', 'application/json']

/** For the HTML pages of endpoints, and for refusals shown as pages. */
export const HTML_HEAD: Head = ['X-Service-Skill-Latest', SKILL_VERSION, ...Object.entries(privatePageHeaders).flat()]

export const REFUSED: Head = [...COMMON, ...CROSS_ORIGIN, ...JSON_BODY, 'Cache-Control', 'no-store']

/** The same where scripts of other origins read nothing. */
export const REFUSED_HERE: Head = [...COMMON, ...JSON_BODY, 'Cache-Control', 'no-store']

/** Whether scripts of other origins may call an endpoint: never an owner endpoint, with or without a session. */
export const isCrossOrigin = ({ auth, page, path }: Endpoint): boolean =>
  auth !== 'owner' && !page && !path.startsWith('/v1/owner/')

const CACHING = {
  public: 'public, max-age=0, must-revalidate',
  private: 'private, no-store',
  none: 'no-store',
} as const

const deprecation = (declared: Endpoint): Head => (declared.deprecated ? ['Deprecation', 'true'] : [])

const cacheControl = ({ auth, caching, maxAgeSeconds }: Endpoint): string =>
  auth === 'owner'
    ? CACHING.private
    : caching === 'public' && maxAgeSeconds !== undefined
      ? `public, max-age=${maxAgeSeconds}`
      : CACHING[caching ?? 'none']

export const successHead = (declared: Endpoint): Head =>
  declared.page ? HTML_HEAD : [...jsonHead(declared), 'Cache-Control', cacheControl(declared), ...deprecation(declared)]

export const refusalHead = (declared: Endpoint): Head =>
  declared.page
    ? HTML_HEAD
    : [...jsonHead(declared), 'Cache-Control', refusalCaching(declared), ...deprecation(declared)]

const jsonHead = (declared: Endpoint): Head => [
  ...COMMON,
  ...(isCrossOrigin(declared) ? CROSS_ORIGIN : []),
  ...JSON_BODY,
]

const refusalCaching = ({ auth }: Endpoint): string => (auth === 'owner' ? CACHING.private : CACHING.none)

export const pageHead = (options: { readonly crossOrigin: boolean; readonly negotiated: boolean }): Head => [
  ...COMMON,
  ...(options.crossOrigin ? CROSS_ORIGIN : []),
  ...(options.negotiated ? ['Vary', 'Accept'] : []),
  'Cache-Control',
  CACHING.none,
]

/** The head with further headers, which replace those of the same name. */
export function withHeaders(head: Head, headers: Readonly<Record<string, string>>): Head {
  const own = Object.entries(headers)
  const replaced = new Set(own.map(([name]) => name.toLowerCase()))
  const kept: string[] = []
  for (let at = 0; at < head.length; at += 2) {
    const [name = '', value = ''] = [head[at], head[at + 1]]
    if (!replaced.has(name.toLowerCase())) kept.push(name, value)
  }
  return [...kept, ...own.flat()]
}
