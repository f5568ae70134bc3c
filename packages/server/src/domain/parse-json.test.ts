import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseJson } from './parse-json.ts'

const problem = (text: string) => {
  const result = parseJson(text)
  return 'problem' in result ? result.problem : null
}

describe('parseJson', () => {
  test('gives what JSON.parse gives for every text that JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8, stringUnit: 'binary' }), fc.nat(4), (value, indent) => {
        const text = JSON.stringify(value, null, indent)
        fc.pre(!text.includes('\\u0000'))
        expect(parseJson(text)).toEqual({ value: JSON.parse(text) })
      }),
      { numRuns: 500 },
    )
  })

  test('takes no text that JSON.parse does not take', () => {
    const piece = fc.constantFrom('{', '}', '[', ']', '"', '\\', ':', ',', ' ', 'a', '\\u0061', '1', 'null', '"a"')
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('')
        const result = parseJson(text)
        if ('value' in result) expect(result.value).toEqual(JSON.parse(text))
        else if (result.problem === 'The body is not JSON.') expect(() => JSON.parse(text)).toThrow()
      }),
      { numRuns: 2_000 },
    )
  })

  test('an object written with one of its keys twice is refused, however the key is written', () => {
    const key = fc.string({ minLength: 1, unit: 'grapheme' }).filter((text) => !text.includes('\0'))
    const escaped = (text: string) =>
      `"${[...text].map((c) => [...Array(c.length).keys()].map((i) => `\\u${c.charCodeAt(i).toString(16).padStart(4, '0')}`).join('')).join('')}"`
    fc.assert(
      fc.property(key, fc.jsonValue(), fc.boolean(), (name, value, nested) => {
        const inner = `{${JSON.stringify(name)}:1, "other":${JSON.stringify(value)} ,${escaped(name)} :2}`
        fc.pre(name !== 'other' && !JSON.stringify(value).includes('\\u0000'))
        expect(problem(nested ? `{"in":[${inner}]}` : inner)).toContain('twice')
      }),
    )
  })

  test.each([
    ['{"a":{"b":1},"b":{"a":1}}', 'the same key in different objects'],
    ['[{"a":1},{"a":1}]', 'the same key in neighbours'],
    ['{"a":"a","b":"a"}', 'a key that is also a value'],
    ['{"a":"\\"a\\":","b":1}', 'a key inside of a text'],
    ['{"a\\\\":1,"a":2}', 'a key that ends in a backslash'],
    ['["a","a"]', 'the same text twice in a list'],
  ])('%s is taken: %s', (text) => {
    expect(parseJson(text)).toEqual({ value: JSON.parse(text) })
  })

  test('NUL characters and lone surrogates are refused, in keys and values', () => {
    expect(problem('{"a":"x\\u0000"}')).toContain('NUL')
    expect(problem('{"\\u0000":1}')).toContain('NUL')
    expect(problem('["\\ud83d"]')).toContain('surrogate')
    expect(problem('["\\ude00\\ud83d"]')).toContain('surrogate')
    expect(problem('["\ud83d"]')).toContain('surrogate')
    expect(parseJson('["\\ud83d\\ude00"]')).toEqual({ value: ['😀'] })
    expect(parseJson('["\\\\u0000"]')).toEqual({ value: ['\\u0000'] })
  })

  test('32 levels of nesting are taken, 33 are refused, and a hundred thousand do no harm', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
    expect(problem(nested(32))).toBeNull()
    expect(problem(nested(33))).toContain('nested')
    expect(problem(nested(100_000))).toContain('nested')
    expect(problem(`${'{"a":'.repeat(33)}1${'}'.repeat(33)}`)).toContain('nested')
  })

  test('keys such as __proto__ and constructor pollute nothing', () => {
    const result = parseJson('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}')
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
    expect('value' in result && Object.hasOwn(result.value as object, '__proto__')).toBe(true)
    expect('value' in result && Object.getPrototypeOf(result.value)).toBe(Object.prototype)
  })

  test.each(['', ' ', '{', '{"a":1,}', "{'a':1}", 'NaN', '\ufeff{}', '{"a":1}x', '01'])('%j is not JSON', (text) => {
    expect(problem(text)).toBe('The body is not JSON.')
  })
})
