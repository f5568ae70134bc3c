import { type Html, html } from '../html.ts'
import { describeType, withoutNull } from './describe-type.ts'
import type { Schema } from './openapi.ts'
import { prose } from './prose.ts'

const DEEPEST = 8
const LONGEST_PATTERN = 48

export type Resolve = (schema: Schema) => Schema

/** The fields of a schema as a list; a field's own fields open below it. */
export function schemaView(given: Schema, resolve: Resolve, depth = 0): Html {
  const fields = Object.entries(fieldsOf(given, resolve) ?? {})
  if (fields.length === 0) return html`<p class="type">${describeType(resolve(given))}</p>`
  const required = new Set(objectIn(given, resolve)?.required ?? [])
  return html`<ul class="fields">${fields.map(
    ([name, schema]) =>
      html`<li>${fieldHead(name, resolve(schema), required.has(name))}${nested(schema, resolve, depth)}</li>`,
  )}</ul>`
}

/** For an optional field, null means the same as leaving it out, so it is not mentioned. */
function fieldHead(name: string, given: Schema, required: boolean): Html {
  const schema = required ? given : withoutNull(given).schema
  return html`<code class="name">${name}</code>${!required && html` <span class="optional">optional</span>`} <span class="type">${describeType(schema)}</span>${patternOf(schema)}${schema.description && html` <span class="about">${prose(schema.description)}</span>`}`
}

/** The pattern of a text, when it is short enough to be read. */
export function patternOf(given: Schema): Html | false {
  const { pattern } = withoutNull(given).schema
  return pattern !== undefined && pattern.length <= LONGEST_PATTERN && html` <code class="pattern">${pattern}</code>`
}

function nested(schema: Schema, resolve: Resolve, depth: number): Html | false {
  const fields = fieldsOf(schema, resolve)
  if (fields === undefined || depth >= DEEPEST) return false
  const count = Object.keys(fields).length
  return html`<details><summary>${count} ${count === 1 ? 'field' : 'fields'}</summary>${schemaView(schema, resolve, depth + 1)}</details>`
}

const fieldsOf = (schema: Schema, resolve: Resolve) => objectIn(schema, resolve)?.properties

/** The object that a schema is, may be, or is a list of. */
function objectIn(given: Schema, resolve: Resolve): Schema | undefined {
  const { schema } = withoutNull(resolve(given))
  if (schema.properties) return schema
  if (schema.items) return objectIn(schema.items, resolve)
  for (const option of schema.anyOf ?? schema.oneOf ?? []) {
    const found = objectIn(option, resolve)
    if (found) return found
  }
  return undefined
}
