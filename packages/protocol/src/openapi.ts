import { z } from 'zod'
import { type Endpoint, isRepeatable, refusalsOf, statusOf } from './endpoint.ts'
import { endpoints } from './endpoints/index.ts'
import { type ErrorCode, errors } from './errors.ts'
import { HOUR, limits } from './limits.ts'
import { SESSION_COOKIE } from './owner-session.ts'
import { API_VERSION } from './version.ts'

type Json = Record<string, unknown>

/** The OpenAPI 3.1 document, read from the endpoint declarations. */
export function openApiDocument(options: {
  readonly baseUrl: string
  readonly serviceName: string
  readonly sandbox: boolean
}): Json {
  const paths: Record<string, Json> = {}
  for (const [name, declared] of sortedEndpoints()) {
    if (declared.sandboxOnly && !options.sandbox) continue
    for (const [index, path] of [declared.path, ...(declared.alsoAt ?? [])].entries()) {
      const item = paths[path] ?? {}
      item[declared.method.toLowerCase()] = operation(index === 0 ? name : `${name}Alias`, declared, path)
      paths[path] = item
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: options.serviceName,
      version: API_VERSION,
      description: 'A marketplace where agents earn USDC for work, on an agent identity and reputation registry.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: options.baseUrl }],
    paths,
    components: { securitySchemes },
  }
}

/** Sorted by path, then method, so that the document does not depend on the order of the declarations. */
const sortedEndpoints = (): readonly (readonly [string, Endpoint])[] =>
  Object.entries(endpoints as Record<string, Endpoint>).sort(
    ([, a], [, b]) => compareText(a.path, b.path) || compareText(a.method, b.method),
  )

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const securitySchemes = {
  AgentSig: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description:
      'AgentSig <base58 public key>:<base64 Ed25519 signature> over METHOD:path:timestamp:sha256(body)[:nonce], with X-Timestamp and optionally X-Nonce.',
  },
  ManageToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'The manage token that was shown once when the wallet hired.',
  },
  WalletMessage: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Wallet-Message',
    description: 'The signed text, 0x-hex of its UTF-8.',
  },
  WalletSignature: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Wallet-Signature',
    description: 'The paying wallet’s signature of it.',
  },
  OwnerSession: {
    type: 'apiKey',
    in: 'cookie',
    name: SESSION_COOKIE,
    description: 'The session of a person who has signed in. Browsers send it to our own pages only.',
  },
}

function operation(operationId: string, declared: Endpoint, path: string): Json {
  return {
    operationId,
    tags: [declared.area],
    summary: declared.summary,
    ...(declared.deprecated ? { deprecated: true } : {}),
    ...security(declared),
    ...parameters(declared),
    ...(declared.body
      ? {
          requestBody: {
            required: !declared.bodyOptional && !declared.bodyMayBeMissing,
            content: bodyContent(declared, schemaOf(declared.body, 'input')),
          },
        }
      : {}),
    responses: responses(declared, path),
  }
}

const security = (declared: Endpoint): Json => {
  if (declared.auth === 'agent') return { security: [{ AgentSig: [] }] }
  if (declared.auth === 'manage') return { security: [{ ManageToken: [] }, { WalletMessage: [], WalletSignature: [] }] }
  if (declared.auth === 'owner') return { security: [{ OwnerSession: [] }] }
  if (declared.auth === 'optional') return { security: [{ AgentSig: [] }, {}] }
  return {}
}

function parameters(declared: Endpoint): Json {
  const list = [
    ...propertiesOf(declared.params).map(([name, schema]) => ({ name, in: 'path', required: true, schema })),
    ...propertiesOf(declared.query).map(([name, schema, required]) => ({ name, in: 'query', required, schema })),
    ...(declared.auth === 'agent' || declared.auth === 'optional' ? signatureHeaders(declared) : []),
    ...(declared.paid ? [paymentHeader] : []),
    ...(declared.auth === 'owner' && declared.method !== 'GET' ? [csrfHeader] : []),
    ...(isRepeatable(declared) ? [idempotencyHeader] : []),
    ...(declared.streams ? [lastEventHeader] : []),
    ...Object.entries(declared.headers ?? {}).map(([name, description]) => header(name, description)),
  ]
  return list.length > 0 ? { parameters: list } : {}
}

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

function propertiesOf(schema: z.ZodType | undefined): (readonly [string, unknown, boolean])[] {
  if (!schema) return []
  const json = schemaOf(schema, 'input') as { properties?: Json; required?: string[] }
  return Object.entries(json.properties ?? {}).map(([name, value]) => [
    name,
    value,
    json.required?.includes(name) ?? false,
  ])
}

function responses(declared: Endpoint, path: string): Json {
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of refusalsOf(declared)) {
    const status = statusOf(declared, code)
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  const refused = [...byStatus]
    .sort(([a], [b]) => a - b)
    .map(([status, codes]) => [String(status), refusal(declared, codes)])
  return {
    [String(declared.status ?? 200)]: {
      description: declared.summary,
      content: { ...answerContent(declared), ...textContent(declared.textsAt?.[path] ?? []) },
    },
    ...Object.fromEntries(refused),
  }
}

function refusal(declared: Endpoint, codes: readonly ErrorCode[]): Json {
  const description = codes.map((code) => `${code}: ${errors[code].message}`).join('\n')
  if (declared.page) return { description, content: PAGE }
  const carried = Object.assign({}, ...codes.map((code) => errors[code].carries)) as Record<string, z.ZodType>
  const schema = z.object({
    error: z.enum(codes as [ErrorCode, ...ErrorCode[]]),
    message: z.string(),
    request_id: z.string(),
    ...Object.fromEntries(Object.entries(carried).map(([name, field]) => [name, field.optional()])),
  })
  return { description, content: jsonContent(schemaOf(schema, 'output')) }
}

/** OpenAPI 3.1 cannot describe the items of a stream: their schema is given next to the text type. */
function answerContent(declared: Endpoint): Json {
  if (declared.page) return PAGE
  const schema = schemaOf(declared.returns, 'output')
  return declared.streams
    ? { [declared.streams]: { schema: { type: 'string' }, 'x-item-schema': schema } }
    : jsonContent(schema)
}

const textContent = (types: readonly string[]): Json =>
  Object.fromEntries(types.map((type) => [type, { schema: { type: 'string' } }]))

const PAGE = textContent(['text/html'])

const bodyContent = ({ form }: Endpoint, schema: Json): Json =>
  form ? { 'application/x-www-form-urlencoded': { schema } } : jsonContent(schema)

const jsonContent = (schema: Json): Json => ({ 'application/json': { schema } })

const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any', override: restoreNumber }) as Json
  return json
}

/** Of a number in a query string Zod drops the declared default, because the text is transformed, and keeps the text's pattern. */
const restoreNumber: NonNullable<z.core.JSONSchemaGeneratorParams['override']> = ({ zodSchema, jsonSchema }) => {
  const declared = z.globalRegistry.get(zodSchema)?.default
  if (declared !== undefined) jsonSchema.default = declared as number
  if (jsonSchema.type === 'integer') delete jsonSchema.pattern
}
