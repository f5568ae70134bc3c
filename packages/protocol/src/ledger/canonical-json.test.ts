import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalJson, hashDocument, type JsonValue } from './canonical-json.ts'

/** RFC 8785 once more, written apart from the code under test. */
function plainly(value: JsonValue): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(plainly).join(',')}]`
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${plainly(member)}`).join(',')}}`
}

describe('canonical JSON', () => {
  test('sorts keys by UTF-16 code units, keeps nulls and writes numbers as RFC 8785 says', () => {
    const example = {
      numbers: [JSON.parse('333333333.33333329'), 1e30, 4.5, 2e-3, 0.000000000000000000000000001, -0],
      string: '€$\u000f\nA\'B"\\\\"/',
      literals: [null, true, false],
    }
    expect(canonicalJson(example)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27,0],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    )
    expect(canonicalJson({ '\ufb33': 1, '\u{1f600}': 2, '\r': 3, '1': 4, ö: 5 })).toBe(
      '{"\\r":3,"1":4,"ö":5,"\u{1f600}":2,"\ufb33":1}',
    )
    expect(canonicalJson({ b: null, a: null })).toBe('{"a":null,"b":null}')
  })

  test('is the same text for the same value, in whatever order its keys were given', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'grapheme' }), (value) => {
        const text = canonicalJson(value as JsonValue)
        expect(text).toBe(plainly(value as JsonValue))
        expect(canonicalJson(JSON.parse(text))).toBe(text)
        expect(canonicalJson(reversed(value as JsonValue))).toBe(text)
      }),
      { numRuns: 300 },
    )
  })

  test('refuses lone surrogates, numbers that are not finite, and what is not JSON', () => {
    for (const bad of ['\ud800', 'a\udc00', { '\ud800': 1 }, ['\udfff'], Number.NaN, [Number.POSITIVE_INFINITY]]) {
      expect(() => canonicalJson(bad)).toThrow()
    }
    for (const bad of [undefined, 1n, { amount: 1n }])
      expect(() => canonicalJson(bad as unknown as JsonValue)).toThrow()
  })

  test('is hashed as UTF-8', () => {
    expect(hashDocument({ name: 'ö' })).toBe(createHash('sha256').update('{"name":"ö"}', 'utf8').digest('hex'))
  })
})

function reversed(value: JsonValue): JsonValue {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(reversed)
  const members = Object.entries(value).map(([key, member]) => [key, reversed(member)] as const)
  return Object.fromEntries(members.reverse())
}
