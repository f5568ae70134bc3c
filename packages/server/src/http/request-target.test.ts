import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseTarget } from './request-target.ts'

/** Any characters, be they letters, controls or none at all. */
const character = fc.nat(0x10f7ff).map((code) => String.fromCodePoint(code < 0xd800 ? code : code + 0x800))

describe('the target of a request', () => {
  test('is split at the first question mark and nowhere else, for any path and query', () => {
    const visible = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code))
    const piece = fc.string({ unit: visible.filter((character) => character !== '#') })
    fc.assert(
      fc.property(
        piece.map((text) => `/${text.replaceAll('?', '')}`),
        fc.option(piece),
        (path, query) => {
          const target = query === null ? path : `${path}?${query}`
          expect(parseTarget(target)).toEqual({ path, query: query ?? '' })
        },
      ),
    )
  })

  test('is refused unless it is in origin form, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: character }), (text) => {
        const target = parseTarget(text)
        if (target === null) return
        expect(text).toMatch(/^\/[\x21-\x7e]*$/)
        expect(text).not.toContain('#')
        expect(`${target.path}${text.includes('?') ? '?' : ''}${target.query}`).toBe(text)
      }),
    )
    for (const text of ['', '*', 'a', 'http://a/b', '//a\n', '/ ', '/é', '/#']) expect(parseTarget(text)).toBeNull()
  })
})
