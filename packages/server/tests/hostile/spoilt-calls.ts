import type { z } from 'zod'
import {
  EXTRA_KEYS,
  HOSTILE_BODIES,
  HOSTILE_HEADERS,
  HOSTILE_QUERIES,
  HOSTILE_SEGMENTS,
  HOSTILE_VALUES,
} from './hostile-values.ts'
import { type SampleCall, written } from './sample-calls.ts'

/** A call with one thing about it that is not right, or not usual. */
export type SpoiltCall = {
  readonly what: string
  readonly path: string
  readonly query: string
  readonly body: string | null
  readonly headers: Readonly<Record<string, string>>
}

/** Every way in which this knows to spoil a call. */
export function spoiltCalls(sample: SampleCall): readonly SpoiltCall[] {
  const { path, query, body } = sample
  const whole = { path, query, body: written(sample.declared, body).text, headers: {} }
  const spoil = (what: string, change: Partial<SpoiltCall>): SpoiltCall => ({ ...whole, what, ...change })
  return [
    ...bodiesOf(sample).map(([what, text]) => spoil(`body ${what}`, { body: text })),
    ...queriesOf(sample).map((text) => spoil(`query ${text}`, { query: text })),
    ...pathsOf(sample).map((text) => spoil(`path ${text}`, { path: text })),
    ...HOSTILE_HEADERS.map(([name, value]) => spoil(`${name}: ${value}`, { headers: { [name]: value } })),
  ]
}

function bodiesOf({ declared, body }: SampleCall): readonly (readonly [what: string, text: string])[] {
  if (declared.body === undefined) return [['where none is taken', '{"extra":1}']]
  const spoilt = (place: Place, value: unknown) => written(declared, put(body, place, value)).text
  const changed = placesIn(body).flatMap((place) => [
    ...HOSTILE_VALUES.map((value) => [`${place.join('.')} = ${shown(value)}`, spoilt(place, value)]),
    [`without ${place.join('.')}`, spoilt(place, undefined)],
  ])
  const more = EXTRA_KEYS.map((key) => [`with ${key}`, JSON.stringify(body).replace('{', `{${JSON.stringify(key)}:1,`)])
  const wrong = HOSTILE_BODIES.map((text) => [shown(text), text])
  return [...changed, ...more, ...wrong] as [string, string][]
}

type Place = readonly (string | number)[]

/** Where in a value there is something to spoil. */
function placesIn(value: unknown, at: Place = []): readonly Place[] {
  if (typeof value !== 'object' || value === null) return at.length === 0 ? [] : [at]
  const below = Object.entries(value).flatMap(([key, child]) =>
    placesIn(child, [...at, Array.isArray(value) ? Number(key) : key]),
  )
  return at.length === 0 ? below : [at, ...below]
}

function put(value: unknown, [key, ...rest]: Place, replacement: unknown): unknown {
  if (key === undefined) return replacement
  const child = put((value as Record<string | number, unknown>)[key], rest, replacement)
  if (Array.isArray(value)) return value.with(Number(key), child)
  return { ...(value as object), [key]: child }
}

function queriesOf({ declared, query }: SampleCall): readonly string[] {
  const names = Object.keys((declared.query as z.ZodObject | undefined)?.shape ?? {})
  const kept = new URLSearchParams(query)
  const beside = (name: string) => {
    const others = new URLSearchParams(kept)
    others.delete(name)
    return others.size === 0 ? '' : `${others}&`
  }
  return [
    ...names.flatMap((name) => HOSTILE_QUERIES.map((value) => `${beside(name)}${name}=${value}`)),
    ...names.map((name) => `${beside(name)}${name}=1&${name}=2`),
    ...names.map((name) => `${beside(name)}${name}[]=1`),
    '__proto__=1&constructor=2',
    '&&&==&%',
    `${'a=1&'.repeat(2_000)}`,
  ]
}

const pathsOf = ({ declared }: SampleCall): readonly string[] =>
  declared.path.includes('{')
    ? HOSTILE_SEGMENTS.map((segment) => declared.path.replaceAll(/\{[^}]*\}/g, () => segment))
    : []

const shown = (value: unknown): string => JSON.stringify(value).slice(0, 40)
