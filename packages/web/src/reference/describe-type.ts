import type { Schema } from './openapi.ts'

/** A schema without its null, and whether it may be null. */
export function withoutNull(schema: Schema): { readonly schema: Schema; readonly nullable: boolean } {
  const { anyOf, type } = schema
  if (Array.isArray(type) && type.includes('null')) {
    const rest = type.filter((name) => name !== 'null')
    return { schema: { ...schema, type: rest.length === 1 ? (rest[0] ?? 'null') : rest }, nullable: true }
  }
  const others = anyOf?.filter((option) => option.type !== 'null') ?? []
  const [only] = others
  if (anyOf && others.length < anyOf.length && only) {
    // Keywords beside `anyOf` narrow its one member, so they win.
    const { anyOf: _, ...around } = schema
    const merged = others.length === 1 ? { ...only, ...around } : { ...around, anyOf: others }
    return { schema: merged, nullable: true }
  }
  return { schema, nullable: false }
}

/** A schema's type in a few words, such as `integer (1 to 100)` or `array (at most 20 items) of string`. */
export function describeType(given: Schema): string {
  const { schema, nullable } = withoutNull(given)
  return nullable ? `${describe(schema)} or null` : describe(schema)
}

function describe(schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  const options = schema.anyOf ?? schema.oneOf
  if (options) return [...new Set(options.map(describeType))].join(' or ')
  const items = schema.type === 'array' ? ` of ${describeType(schema.items ?? {})}` : ''
  return `${nameOf(schema)}${limitsOf(schema)}${items}`
}

function nameOf({ type, format }: Schema): string {
  if (format === 'date-time') return 'time'
  if (format === 'uri') return 'http(s) address'
  return format ?? [type ?? 'anything'].flat().join(' or ')
}

function limitsOf(schema: Schema): string {
  const limits = [
    range(schema.minimum, schema.maximum, ''),
    range(schema.minLength || undefined, schema.maxLength, ' characters'),
    range(schema.minItems, schema.maxItems, ' items'),
    schema.default === undefined ? '' : `${JSON.stringify(schema.default)} by default`,
  ].filter((limit) => limit !== '')
  return limits.length === 0 ? '' : ` (${limits.join(', ')})`
}

/** Leaves out bounds that are only the range of safe integers. */
function range(min: number | undefined, max: number | undefined, unit: string): string {
  const [least, most] = [min, max].map((bound) =>
    Math.abs(bound ?? 0) === Number.MAX_SAFE_INTEGER ? undefined : bound,
  )
  if (least === undefined && most === undefined) return ''
  if (least === undefined) return `at most ${most}${unit}`
  return most === undefined ? `at least ${least}${unit}` : `${least} to ${most}${unit}`
}
