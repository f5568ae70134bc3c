import type { z } from 'zod'
import { HOUR } from './durations.ts'
import { type Endpoint, isRepeatable } from './endpoint.ts'
import { type Json, jsonSchemaOf } from './json-schema-of.ts'
import { limits } from './limits.ts'

/** Path, query and header parameters of an operation. */
export function parametersOf(declared: Endpoint): Json {
  const list = [
    ...propertiesOf(declared.params).map(([name, schema]) => ({
      name,
      in: 'path',
      required: true,
      ...described(schema),
    })),
    ...propertiesOf(declared.query).map(([name, schema, required]) => ({
      name,
      in: 'query',
      required,
      ...described(schema),
    })),
    ...(declared.auth === 'agent' || declared.auth === 'optional' ? signatureHeaders(declared) : []),
    ...(declared.paid ? [paymentHeader] : []),
    ...(declared.auth === 'owner' && declared.method !== 'GET' ? [csrfHeader] : []),
    ...(isRepeatable(declared) ? [idempotencyHeader] : []),
    ...(declared.streams ? [lastEventHeader] : []),
    ...Object.entries(declared.headers ?? {}).map(([name, description]) => header(name, description)),
  ]
  return list.length > 0 ? { parameters: list } : {}
}

/** What a parameter means is said of the parameter, where generators look for it, and not of its schema. */
const described = ({ description, ...schema }: Json): Json => ({
  ...(description === undefined ? {} : { description }),
  schema,
})

const header = (name: string, description: string) => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string' },
})
const signatureHeaders = ({ auth }: Endpoint) => [
  { ...header('X-Timestamp', 'unix seconds, signed'), required: auth === 'agent' },
  header(
    'X-Nonce',
    `${limits.agentSignature.nonce.min}-${limits.agentSignature.nonce.max} of [A-Za-z0-9_-], signed when sent`,
  ),
]
const lastEventHeader = header('Last-Event-ID', 'the id of the last event seen: those after it follow')
const idempotencyHeader = {
  ...header(
    'Idempotency-Key',
    `A random text of the caller’s own, kept for ${limits.idempotencyKey.keptMs / HOUR} hours: the same request with the same key gets the first answer again, with Idempotent-Replayed: true, and nothing is done twice. The same request means the same bytes. Whoever knows the key and the request can read the answer, so use one that cannot be guessed.`,
  ),
  schema: { type: 'string', pattern: limits.idempotencyKey.pattern.source },
}
const csrfHeader = { ...header('X-CSRF-Token', 'csrf_token of GET /v1/owner/session'), required: true }
const paymentHeader = header('PAYMENT-SIGNATURE', 'x402 v2 payment payload: base64, base64url or JSON')

function propertiesOf(schema: z.ZodType | undefined): (readonly [string, Json, boolean])[] {
  if (!schema) return []
  const json = jsonSchemaOf(schema, 'input') as { properties?: Record<string, Json>; required?: string[] }
  return Object.entries(json.properties ?? {}).map(([name, value]) => [
    name,
    value,
    json.required?.includes(name) ?? false,
  ])
}
