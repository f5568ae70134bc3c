import { expect, test } from 'vitest'
import { etagOf, matchesEtag } from './etag.ts'

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
