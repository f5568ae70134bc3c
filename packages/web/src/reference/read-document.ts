import type { OpenApi, Parameter, RawOperation, Response, Schema } from './openapi.ts'
import { areaOrder, readingOrder } from './reading-order.ts'

export type Refusal = { readonly status: string; readonly code: string; readonly meaning: string }

export type Operation = {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly summary: string
  readonly deprecated: boolean
  readonly auth: 'signed' | 'signed or not' | 'manage token' | 'signed in' | 'none'
  readonly parameters: readonly Parameter[]
  readonly body: { readonly required: boolean; readonly schema: Schema } | null
  readonly success: { readonly status: string; readonly schema: Schema | null }
  readonly refusals: readonly Refusal[]
}

export type Area = { readonly name: string; readonly id: string; readonly operations: readonly Operation[] }

/** The operations of a document by area, both in reading order. */
export function readAreas(document: OpenApi): readonly Area[] {
  const found = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, raw]) => ({
      area: raw.tags?.[0] ?? 'Other',
      operation: read(path, method, raw),
    })),
  )
  return [...Map.groupBy(found, ({ area }) => area)]
    .map(([name, members]) => ({
      name,
      id: `area-${name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`,
      operations: members
        .map(({ operation }) => operation)
        .sort((a, b) => placeOf(a.id, readingOrder) - placeOf(b.id, readingOrder)),
    }))
    .sort((a, b) => placeOf(a.name, areaOrder) - placeOf(b.name, areaOrder))
}

function placeOf(name: string, order: readonly string[]): number {
  const place = order.indexOf(name)
  return place < 0 ? order.length : place
}

function read(path: string, method: string, raw: RawOperation): Operation {
  const body = raw.requestBody?.content['application/json']
  const [status = '200', success] = Object.entries(raw.responses).find(([code]) => code.startsWith('2')) ?? []
  return {
    id: raw.operationId,
    method: method.toUpperCase(),
    path,
    summary: raw.summary,
    deprecated: raw.deprecated ?? false,
    auth: authOf(raw.security ?? []),
    parameters: raw.parameters ?? [],
    body: body ? { required: raw.requestBody?.required ?? false, schema: body.schema } : null,
    success: { status, schema: success?.content?.['application/json']?.schema ?? null },
    refusals: Object.entries(raw.responses).flatMap(([code, response]) => refusalsOf(code, response)),
  }
}

function authOf(security: readonly Readonly<Record<string, unknown>>[]): Operation['auth'] {
  if (security.length === 0) return 'none'
  const [first = {}] = security
  if ('ManageToken' in first) return 'manage token'
  if ('OwnerSession' in first) return 'signed in'
  return security.some((scheme) => Object.keys(scheme).length === 0) ? 'signed or not' : 'signed'
}

/** A refusal's description has one `code: meaning` a line. */
function refusalsOf(status: string, { description }: Response): readonly Refusal[] {
  if (status.startsWith('2')) return []
  return description.split('\n').map((line) => {
    const [, code = '', meaning = line] = /^([a-z0-9_]+): (.*)$/.exec(line) ?? []
    return { status, code, meaning }
  })
}
