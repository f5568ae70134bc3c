import { SESSION_COOKIE } from '@guildhall/protocol'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csrfTokenOf, isCsrfToken, sessionTokenIn } from './session-cookie.ts'

/** Any characters, be they letters, controls or none at all. */
const character = fc.nat(0x10f7ff).map((code) => String.fromCodePoint(code < 0xd800 ? code : code + 0x800))

const tokens = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes).toString('base64url'))
const others = fc.array(
  fc.base64String({ maxLength: 20 }).map((value) => `other=${value}`),
  { maxLength: 4 },
)

test('a session is found among any other cookies, and never when it is named twice', () => {
  fc.assert(
    fc.property(tokens, tokens, others, others, (token, second, before, after) => {
      const cookies = [...before, `${SESSION_COOKIE}=${token}`, ...after]
      expect(sessionTokenIn(cookies.join('; '))).toBe(token)
      expect(sessionTokenIn([...cookies, `${SESSION_COOKIE}=${second}`].join('; '))).toBeNull()
    }),
  )
})

test('any other header holds none', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: character }),
        fc.string().map((text) => `${SESSION_COOKIE}=${text}`),
      ),
      (header) => {
        const token = sessionTokenIn(header)
        if (token !== null) expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/)
      },
    ),
  )
})

test('a session has one token against forgery, and no other text is accepted for it', () => {
  fc.assert(
    fc.property(tokens, fc.oneof(fc.string({ unit: character }), tokens), (session, sent) => {
      const expected = csrfTokenOf(session)
      expect(isCsrfToken(expected, expected)).toBe(true)
      expect(isCsrfToken(expected, sent)).toBe(sent === expected)
    }),
  )
})
