import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeWalletMessage, encodeWalletMessage } from './wallet-message-header.ts'

/** Any characters, be they letters, controls or none at all. */
const character = fc.nat(0x10f7ff).map((code) => String.fromCodePoint(code < 0xd800 ? code : code + 0x800))

test('a message travels as 0x-hex of its UTF-8, and base64url is taken too', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (message) => {
      const bytes = Buffer.from(message, 'utf8')
      expect(encodeWalletMessage(message)).toBe(`0x${bytes.toString('hex')}`)
      expect(decodeWalletMessage(encodeWalletMessage(message))).toBe(message)
      expect(decodeWalletMessage(bytes.toString('base64url'))).toBe(message)
    }),
  )
  expect(decodeWalletMessage('Z2g=')).toBe('gh')
})

test('anything else is refused', () => {
  const bad = ['0x123', '0xzz', '0xff', 'not base64 url!', 'Z2h+', 'Z2', '0xeda080', `0x${'61'.repeat(4001)}`]
  for (const header of bad) expect(decodeWalletMessage(header), header).toBeNull()
})

test('any header is refused or has one meaning, and is never the cause of an exception', () => {
  const written = fc.oneof(
    fc.string({ unit: character, maxLength: 80 }),
    fc.stringMatching(/^0x[0-9a-f]{0,40}$/),
    fc.stringMatching(/^[A-Za-z0-9_-]{0,40}={0,3}$/),
  )
  fc.assert(
    fc.property(written, (header) => {
      const message = decodeWalletMessage(header)
      if (message === null) return
      expect(decodeWalletMessage(encodeWalletMessage(message))).toBe(message)
      expect(message.isWellFormed()).toBe(true)
    }),
  )
})
