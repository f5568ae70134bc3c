import fc from 'fast-check'
import { expect, test } from 'vitest'
import { etagOf, matchesEtag } from './etag.ts'

/** Any characters, be they letters, controls or none at all. */
const character = fc.nat(0x10f7ff).map((code) => String.fromCodePoint(code < 0xd800 ? code : code + 0x800))

test('the same bytes have the same strong tag, others another', () => {
  expect(etagOf('{"a":1}')).toBe(etagOf(Buffer.from('{"a":1}')))
  expect(etagOf('{"a":1}')).not.toBe(etagOf('{"a":2}'))
  expect(etagOf('')).toMatch(/^"[A-Za-z0-9_-]{43}"$/)
})

test.each([
  ['"x"', true],
  ['*', true],
  [' * ', true],
  ['W/"x"', true],
  ['"a", W/"b" ,"x"', true],
  ['"a","b"', false],
  ['x', false],
  ['', false],
  ['"xx"', false],
])('If-None-Match: %s', (header, matches) => {
  expect(matchesEtag(header, '"x"')).toBe(matches)
})

test('any If-None-Match is read, and a tag is found among any others', () => {
  const tags = fc.array(fc.stringMatching(/^(W\/)?"[A-Za-z0-9]{0,8}"$/))
  fc.assert(
    fc.property(fc.string({ unit: character }), fc.string(), tags, (header, body, others) => {
      expect(matchesEtag(header, etagOf(body))).toBe(header.trim() === '*')
      expect(matchesEtag([...others, etagOf(body)].join(', '), etagOf(body))).toBe(true)
      expect(matchesEtag(others.join(', '), etagOf(body))).toBe(false)
    }),
  )
})
