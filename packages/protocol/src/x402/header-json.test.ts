import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encodeHeaderJson, readHeaderJson } from './header-json.ts'

/** Any characters, be they letters, controls or none at all. */
const character = fc.nat(0x10f7ff).map((code) => String.fromCodePoint(code < 0xd800 ? code : code + 0x800))

const objects = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { noNullPrototype: true, maxKeys: 5 })
const asRead = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

test('what is written is read back, in base64 with and without its end, in base64url, and as it is', () => {
  fc.assert(
    fc.property(objects, (value) => {
      const json = JSON.stringify(value)
      const ways = [
        encodeHeaderJson(value),
        encodeHeaderJson(value).replace(/=+$/, ''),
        Buffer.from(json).toString('base64url'),
        json,
      ]
      for (const header of ways) expect(readHeaderJson(header)).toEqual({ value: asRead(value) })
    }),
  )
})

test('a key that stands twice in one object is a problem, wherever it stands and however it is written', () => {
  const keys = fc.string({ minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(keys, fc.nat(4), (key, depth) => {
      const written = JSON.stringify(key)
      const escaped = `"${[...key].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`
      const twice = `{${written}:1,${escaped}:2}`
      const json = `{"a":`.repeat(depth) + twice + '}'.repeat(depth)
      expect(readHeaderJson(json)).toEqual({ problem: 'it has a key twice in one object' })
    }),
  )
})

test.each(['\\u0000', 'a\\u0000b', '\\ud800', '\\udc00\\ud800', 'a\\uDFFF'])(
  'a text with %s in it is a problem',
  (text) => {
    for (const json of [`{"a":"${text}"}`, `{"${text}":1}`, `{"a":[{"b":"${text}"}]}`])
      for (const header of [json, Buffer.from(json).toString('base64')])
        expect(readHeaderJson(header)).toEqual({ problem: 'it has a NUL character or half of a surrogate pair in it' })
    expect(readHeaderJson('{"a":"\\ud83d\\ude00\\n\\\\u0000"}')).toEqual({ value: { a: '😀\n\\u0000' } })
  },
)

test('any text is a value or a problem, never an exception', () => {
  const texts = fc.oneof(
    fc.string({ unit: character }),
    fc.base64String(),
    fc.json(),
    fc.json().map((json) => `{${json}`),
  )
  fc.assert(
    fc.property(texts, (text) => {
      const read = readHeaderJson(text)
      expect('problem' in read || 'value' in read).toBe(true)
    }),
  )
})
