import pg from 'pg'
import { expect, test } from 'vitest'
import { valueParsers } from './value-parsers.ts'

const parse = (oid: number, text: string): unknown => valueParsers.getTypeParser(oid, 'text')(text)
const TIMESTAMPTZ = 1184
const INT8 = 20
const TEXT_ARRAY: number = 1009

test('times are read as milliseconds, in any time zone', () => {
  const noon = Date.UTC(2026, 0, 31, 12, 0, 0)
  expect(parse(TIMESTAMPTZ, '2026-01-31 12:00:00+00')).toBe(noon)
  expect(parse(TIMESTAMPTZ, '2026-01-31 12:00:00.1+00')).toBe(noon + 100)
  expect(parse(TIMESTAMPTZ, '2026-01-31 12:00:00.123+00')).toBe(noon + 123)
  expect(parse(TIMESTAMPTZ, '2026-01-31 17:30:00.12+05:30')).toBe(noon + 120)
  expect(parse(TIMESTAMPTZ, '2026-01-31 07:00:00-05')).toBe(noon)
  expect(() => parse(TIMESTAMPTZ, 'infinity')).toThrow(RangeError)
})

test('whole numbers are read as bigint, to the last digit', () => {
  expect(parse(INT8, '9223372036854775807')).toBe(9_223_372_036_854_775_807n)
})

test('lists of texts are read as the library reads them, quoted or not', () => {
  const library = pg.types.getTypeParser(TEXT_ARRAY, 'text')
  const lists = [
    '{}',
    '{a}',
    '{a,b c,ü}',
    '{"a,b",c}',
    '{"a\\"b"}',
    '{a\\\\b}',
    '{NULL,a}',
    '{"NULL"}',
    '{{a,b},{c,d}}',
    '[0:1]={a,b}',
  ]
  for (const list of lists) expect(parse(TEXT_ARRAY, list), list).toEqual(library(list))
  expect(parse(TEXT_ARRAY, '{research,web search}')).toEqual(['research', 'web search'])
})

test('other users of the driver see no change', () => {
  expect(pg.types.getTypeParser(INT8, 'text')('1')).toBe('1')
})
