import { base64, base64url } from '@scure/base'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { generateKey } from './ed25519.ts'
import { encodeSignature, parseSignature, signText, verifyText } from './signature-text.ts'

const { secretKey, publicKey } = generateKey(new Uint8Array(32).fill(5))
const text = signText(secretKey, 'a challenge')

test('a signature over a text verifies with its key and text', () => {
  expect(verifyText(publicKey, 'a challenge', text)).toBe(true)
  expect(verifyText(publicKey, 'a Challenge', text)).toBe(false)
  expect(verifyText(publicKey, 'a challenge', 'no signature')).toBe(false)
})

test('a signature has one base64 text', () => {
  const bytes = base64.decode(text)
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
  const spareBits = `${text.slice(0, 85)}${alphabet[alphabet.indexOf(text.charAt(85)) + 1]}==`
  const others = [
    text.slice(0, -2),
    text.slice(0, -1),
    `${text}=`,
    ` ${text}`,
    `${text}\n`,
    spareBits,
    '',
    'A'.repeat(88),
  ]
  expect(parseSignature(text)).toEqual(bytes)
  for (const other of others) expect(parseSignature(other)).toBeNull()
  expect(parseSignature(base64url.encode(new Uint8Array(64).fill(0xfb, 0, 32)))).toBeNull()
  for (const length of [63, 65]) expect(parseSignature(base64.encode(new Uint8Array(length)))).toBeNull()
})

test('any text is either refused or the one text of its bytes', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.uint8Array({ minLength: 64, maxLength: 64 }).map(base64.encode)), (any) => {
      const bytes = parseSignature(any)
      return bytes === null || encodeSignature(bytes) === any
    }),
  )
})
