import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { endpoints } from '../endpoints/index.ts'

type Shape = {
  readonly type?: string
  readonly properties?: Readonly<Record<string, Shape>>
  readonly required?: readonly string[]
  readonly anyOf?: readonly Shape[]
  readonly items?: Shape
}

const declared: readonly [string, Endpoint][] = Object.entries(endpoints)
/** A form has no null: its fields are texts. */
const bodies = declared.flatMap(([name, { body, form }]) => (body === undefined || form ? [] : [{ name, body }]))

const shapeOf = (body: z.ZodType): Shape => z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }) as Shape

/** Paths of the fields that may be left out, at any depth; `*` stands for an item of a list. */
function optionalFields(shape: Shape, path: readonly string[] = []): readonly (readonly string[])[] {
  const own = Object.entries(shape.properties ?? {}).flatMap(([field, inner]) => [
    ...(shape.required?.includes(field) ? [] : [[...path, field]]),
    ...optionalFields(inner, [...path, field]),
  ])
  const inItems = shape.items === undefined ? [] : optionalFields(shape.items, [...path, '*'])
  return [...own, ...inItems, ...(shape.anyOf ?? []).flatMap((inner) => optionalFields(inner, path))]
}

/** As much of a body as leads to the field, with this value there. */
const bodyWith = (path: readonly string[], value: unknown): unknown =>
  path.reduceRight((inner, step) => (step === '*' ? [inner] : { [step]: inner }), value)

const fields = bodies.flatMap(({ name, body }) =>
  optionalFields(shapeOf(body)).map((path) => ({ name, field: path.join('.'), path, body })),
)

describe('null for an optional field means absent', () => {
  test('and there are such fields all over the contract', () => {
    expect(new Set(fields.map(({ name }) => name)).size).toBeGreaterThan(10)
    expect(fields.map(({ name, field }) => `${name} ${field}`)).toEqual(
      expect.arrayContaining(['markEventsRead ids', 'createTask bounty', 'registerComplete profile.skills.*.version']),
    )
  })

  test.each(fields)('$name: $field', ({ path, body }) => {
    const found = body.safeParse(bodyWith(path, null)).error?.issues ?? []
    const at = path.map((step) => (step === '*' ? 0 : step)).join('.')
    expect(found.filter((issue) => issue.path.join('.').startsWith(at))).toEqual([])
  })
})
