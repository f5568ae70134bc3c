import fc from 'fast-check'

/** Any characters, be they letters, controls or none at all. */
const character = fc.nat(0x10f7ff).map((code) => String.fromCodePoint(code < 0xd800 ? code : code + 0x800))

/** As much of JSON Schema as the published document uses for what it takes. */
export type Schema = {
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly minItems?: number
  readonly maxItems?: number
  readonly pattern?: string
  readonly format?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
}

/** Longer lists and numbers without a bound find nothing that these do not. */
const MOST_ITEMS = 3
const FURTHEST = 1_000_000

/** Values of every kind that a schema takes; texts also at their very longest. */
export function fitting(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map(fitting))
  if (typeof schema.type === 'object') return fc.oneof(...schema.type.map((type) => fitting({ ...schema, type })))
  switch (schema.type) {
    case 'string':
      return texts(schema)
    case 'integer':
      return fc.integer({ min: lowest(schema), max: Math.min(schema.maximum ?? FURTHEST, 2 ** 31 - 1) })
    case 'number':
      return fc.double({ noNaN: true, min: lowest(schema), max: schema.maximum ?? FURTHEST })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return fc.array(fitting(schema.items ?? {}), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? MOST_ITEMS, Math.max(MOST_ITEMS, schema.minItems ?? 0)),
      })
    case 'object':
      return objects(schema)
    default:
      return fc.jsonValue({ maxDepth: 2 })
  }
}

const lowest = ({ minimum, exclusiveMinimum }: Schema): number =>
  Math.max(minimum ?? -FURTHEST, exclusiveMinimum === undefined ? -FURTHEST : exclusiveMinimum + 1)

function objects({ properties = {}, required = [] }: Schema): fc.Arbitrary<unknown> {
  const fields = Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, fitting(schema)]))
  return fc.record(fields, { requiredKeys: [...required], noNullPrototype: true })
}

const BY_FORMAT: Readonly<Record<string, fc.Arbitrary<string>>> = {
  uuid: fc.uuid(),
  uri: fc.domain().map((name) => `https://${name}/a?b=c#d`),
  email: fc.uuid().map((id) => `${id}@example.org`),
  'date-time': fc
    .date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) })
    .map((date) => date.toISOString()),
}

function texts({ pattern, format, minLength = 0, maxLength = 200 }: Schema): fc.Arbitrary<string> {
  const known = BY_FORMAT[format ?? '']
  if (known !== undefined) return known
  if (pattern !== undefined && minLength < 100) return fc.stringMatching(new RegExp(pattern))
  const size = { minLength, maxLength: Math.max(minLength, Math.min(maxLength, 40)) }
  const longest = fc.constantFrom('x', 'ß', '😀').map((character) => character.repeat(maxLength))
  return fc.oneof(
    { weight: 4, arbitrary: fc.string({ unit: 'grapheme-ascii', ...size }) },
    { weight: 4, arbitrary: fc.string({ unit: character, ...size }).map((text) => text.replaceAll('\0', '\u0001')) },
    { weight: 1, arbitrary: longest },
  )
}
