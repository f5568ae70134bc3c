import { types } from 'pg'

const INT8 = 20
const NUMERIC = 1700
const TIMESTAMPTZ = 1184
const TEXT_ARRAY: number = 1009

/** PostgreSQL writes `2026-01-31 23:59:59.5+00`; offsets of other time zones may have minutes. */
function instant(text: string): number {
  const [, date, time, offset = '+00'] = /^(\S+) ([\d:.]+)([+-].*)?$/.exec(text) ?? []
  const zone = offset.length === 3 ? `${offset}:00` : offset
  const parsed = Date.parse(`${date}T${time}${zone}`)
  if (Number.isNaN(parsed)) throw new RangeError(`not a time: ${text}`)
  return parsed
}

const readTexts = types.getTypeParser(TEXT_ARRAY)
/** Quotes, NULL, nested arrays or explicit bounds: parsed by the library, which goes character by character. */
const NEEDS_CARE = /["\\]|NULL|^.\{|^[^{]/

function texts(text: string): readonly string[] {
  if (text === '{}') return []
  return NEEDS_CARE.test(text) ? readTexts(text) : text.slice(1, -1).split(',')
}

const parsers = new Map<number, (text: string) => unknown>([
  [INT8, BigInt],
  // Only integers and their sums are stored.
  [NUMERIC, BigInt],
  [TIMESTAMPTZ, instant],
  [TEXT_ARRAY, texts],
])

/** How values are read on our connections: whole numbers as bigint, times as milliseconds. Other users of `pg` see no change. */
export const valueParsers = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    (format === 'binary' ? undefined : parsers.get(oid)) ??
    types.getTypeParser(oid, format)) as typeof types.getTypeParser,
}
