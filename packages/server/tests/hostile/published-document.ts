import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { Schema } from './fitting-values.ts'
import type { PlainAnswer } from './raw-call.ts'

type Content = Readonly<Record<string, { readonly schema: Schema }>>

export type Parameter = {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly schema: Schema
}

/** An operation as the document publishes it: nothing here is read from the code behind it. */
export type Operation = {
  readonly operationId: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly required: boolean; readonly content: Content }
  readonly security?: readonly Readonly<Record<string, unknown>>[]
  readonly responses: Readonly<Record<string, { readonly content: Content }>>
}

export type PublishedCall = { readonly method: string; readonly path: string; readonly operation: Operation }

type Document = { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> }

export const operationsOf = (document: Document): readonly PublishedCall[] =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )

const ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: false })
formats.default(ajv)
const compiled = new WeakMap<Schema, ValidateFunction>()

/** What is wrong with a value by a schema; null when it fits. */
export function misfit(schema: Schema, value: unknown): string | null {
  const validate = compiled.get(schema) ?? ajv.compile(schema)
  compiled.set(schema, validate)
  return validate(value) ? null : ajv.errorsText(validate.errors)
}

/** What is wrong with an answer by what the document says of its operation; null when nothing is. */
export function problemByDocument({ responses }: Operation, answer: PlainAnswer): string | null {
  const { status, headers, text } = answer
  if (status === 500) return 'it failed'
  if (status === 304) return null
  const response = responses[String(status)]
  if (response === undefined) return `the status ${status} is not published`
  const [type = ''] = String(headers['content-type']).split(';')
  const content = response.content[type]
  if (content === undefined) return `the type ${type} is not published for ${status}`
  return type === 'application/json' ? misfit(content.schema, JSON.parse(text)) : null
}
