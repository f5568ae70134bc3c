import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { endpoints } from '../endpoints/index.ts'

type Shape = { readonly properties?: Readonly<Record<string, Shape>>; readonly anyOf?: readonly Shape[] }

const declared: readonly [string, Endpoint][] = Object.entries(endpoints)
const bodies = declared.flatMap(([name, { body }]) => (body === undefined ? [] : [{ name, body }]))

/** The paths of all fields, also of those inside others. */
const fieldsOf = (
  { properties = {}, anyOf = [] }: Shape,
  path: readonly string[] = [],
): readonly (readonly string[])[] => [
  ...Object.entries(properties).flatMap(([field, inner]) => [[...path, field], ...fieldsOf(inner, [...path, field])]),
  ...anyOf.flatMap((inner) => fieldsOf(inner, path)),
]

const bodyWith = (path: readonly string[], value: unknown): unknown =>
  path.reduceRight((inner, step) => ({ [step]: inner }), value)

const WRONG = [undefined, null, true, -1.5, 'x', [], [0], {}]

test.each(bodies)('$name: whoever sends a wrong value is told what is needed', ({ body }) => {
  const shape = z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }) as Shape
  for (const path of fieldsOf(shape)) {
    const issues = WRONG.flatMap((value) => body.safeParse(bodyWith(path, value)).error?.issues ?? [])
    const unclear = issues.filter(({ message }) => message === 'Invalid input').map((issue) => issue.path.join('.'))
    expect(unclear).toEqual([])
  }
})
