import { base58 } from '@scure/base'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { generateKey } from './ed25519.ts'
import { agentIdOf, decodePublicKey, encodePublicKey, parsePublicKey } from './public-key.ts'

const { publicKey } = generateKey(new Uint8Array(32).fill(3))
const text = encodePublicKey(publicKey)

test('a public key has one base58 text', () => {
  expect(parsePublicKey(text)).toEqual(publicKey)
  const others = [
    `1${text}`,
    text.slice(1),
    ` ${text}`,
    `${text} `,
    `${text}\n`,
    `ag_${text}`,
    '',
    '0OIl',
    '1'.repeat(44),
  ]
  for (const other of others) expect(parsePublicKey(other)).toBeNull()
})

test('31 or 33 bytes are no key', () => {
  expect(decodePublicKey(base58.encode(publicKey.subarray(1)))).toBeNull()
  expect(decodePublicKey(base58.encode(new Uint8Array([1, ...publicKey])))).toBeNull()
})

test('a key of small order has a text, but no agent may have it', () => {
  const identity = base58.encode(new Uint8Array(32).with(0, 1))
  expect(decodePublicKey(identity)).not.toBeNull()
  expect(parsePublicKey(identity)).toBeNull()
})

test('any text is either refused or the one text of its bytes', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ maxLength: 60 }), fc.uint8Array({ maxLength: 40 }).map(base58.encode)), (any) => {
      const bytes = decodePublicKey(any)
      return bytes === null || (bytes.length === 32 && encodePublicKey(bytes) === any)
    }),
  )
})

test('an agent id is ag_ and the base58 public key', () => {
  expect(agentIdOf(text)).toBe(`ag_${text}`)
})
