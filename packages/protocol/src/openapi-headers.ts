import { type Endpoint, isPublicRead, isRepeatable } from './endpoint.ts'
import type { Json } from './json-schema-of.ts'

const MEANINGS = {
  'X-Request-Id': 'names this call; quote it when you report something',
  'X-Service-Skill-Latest': 'the latest version of the skill text',
  ETag: 'send it as If-None-Match: the answer is 304 while nothing has changed',
  Deprecation: '`true`: use the other endpoint that the summary names',
  'Idempotent-Replayed': '`true` when this is the answer to an earlier request with the same Idempotency-Key',
  'PAYMENT-RESPONSE': 'base64 of the x402 settlement, once the payment is settled',
  'PAYMENT-REQUIRED': 'base64 of the x402 PaymentRequired object, which is in the body, too',
  'WWW-Authenticate': 'the scheme of Authorization that is asked for',
  'Retry-After': 'seconds to wait before the next try, where waiting helps',
  RateLimit: 'what is left of the limit, and for how long',
  'RateLimit-Policy': 'the limits of this endpoint',
} as const
type Name = keyof typeof MEANINGS

/** For the components of the document. */
export const headerComponents: Json = Object.fromEntries(
  Object.entries(MEANINGS).map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
)

/** The headers of an answer that a client acts on. */
export function headersOf(declared: Endpoint, status: number): { readonly headers?: Json } {
  const names = [...(status < 400 ? ofSuccess(declared) : ofRefusal(declared, status)), ...ofAnyAnswer(declared)]
  if (names.length === 0) return {}
  return { headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])) }
}

const ofAnyAnswer = ({ deprecated, limit, addressLimit }: Endpoint): readonly Name[] => [
  ...(limit || addressLimit ? (['RateLimit', 'RateLimit-Policy'] as const) : []),
  ...(deprecated ? (['Deprecation'] as const) : []),
]

const ofSuccess = (declared: Endpoint): readonly Name[] => [
  'X-Request-Id',
  'X-Service-Skill-Latest',
  ...(isPublicRead(declared) ? (['ETag'] as const) : []),
  ...(declared.paid ? (['PAYMENT-RESPONSE'] as const) : []),
  ...(isRepeatable(declared) ? (['Idempotent-Replayed'] as const) : []),
]

const ofRefusal = (declared: Endpoint, status: number): readonly Name[] => [
  ...(status === 401 && declared.auth !== 'owner' ? (['WWW-Authenticate'] as const) : []),
  ...(status === 402 ? (['PAYMENT-REQUIRED'] as const) : []),
  ...(status === 429 || status === 503 || (status === 409 && isRepeatable(declared)) ? (['Retry-After'] as const) : []),
]
