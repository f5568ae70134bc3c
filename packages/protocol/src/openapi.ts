import { z } from 'zod'
import { type Endpoint, isUnread, refusalsOf, statusesOf } from './endpoint.ts'
import { endpoints } from './endpoints/index.ts'
import { type ErrorCode, errors } from './errors.ts'
import { type Json, jsonSchemaOf } from './json-schema-of.ts'
import { headerComponents, headersOf } from './openapi-headers.ts'
import { parametersOf } from './openapi-parameters.ts'
import { SESSION_COOKIE } from './owner-session.ts'
import { API_VERSION } from './version.ts'

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
    components: { securitySchemes, headers: headerComponents },
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
    ...parametersOf(declared),
    ...(declared.body
      ? {
          requestBody: {
            required: !declared.bodyOptional && !declared.bodyMayBeMissing,
            content: bodyContent(declared, jsonSchemaOf(declared.body, 'input')),
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

function responses(declared: Endpoint, path: string): Json {
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of refusalsOf(declared))
    for (const status of statusesOf(declared, code)) byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  const refused = [...byStatus]
    .sort(([a], [b]) => a - b)
    .map(([status, codes]) => [String(status), { ...refusal(declared, codes), ...headersOf(declared, status) }])
  const status = declared.status ?? 200
  return {
    [String(status)]: {
      description: declared.summary,
      ...headersOf(declared, status),
      content: { ...answerContent(declared), ...textContent(declared.textsAt?.[path] ?? []) },
    },
    ...Object.fromEntries(refused),
  }
}

function refusal(declared: Endpoint, codes: readonly ErrorCode[]): Json {
  const description = codes.map((code) => `${code}: ${errors[code].message}`).join('\n')
  if (declared.page && !codes.every(isUnread)) return { description, content: PAGE }
  const carried = Object.assign({}, ...codes.map((code) => errors[code].carries)) as Record<string, z.ZodType>
  const schema = z.object({
    error: z.enum(codes as [ErrorCode, ...ErrorCode[]]),
    message: z.string(),
    request_id: z.string(),
    ...Object.fromEntries(Object.entries(carried).map(([name, field]) => [name, field.optional()])),
  })
  return { description, content: jsonContent(jsonSchemaOf(schema, 'output')) }
}

/** OpenAPI 3.1 cannot describe the items of a stream: their schema is given next to the text type. */
function answerContent(declared: Endpoint): Json {
  if (declared.page) return PAGE
  const schema = jsonSchemaOf(declared.returns, 'output')
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
