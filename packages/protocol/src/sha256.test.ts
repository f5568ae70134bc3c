import { sha256 as portable } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sha256, sha256Hex } from './sha256.ts'

test('the hash is the same, whoever computes it', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (data) => {
      expect(bytesToHex(sha256(data))).toBe(bytesToHex(portable(data)))
      expect(sha256Hex(data)).toBe(bytesToHex(portable(data)))
    }),
  )
})

test('a part of a larger buffer is hashed as that part', () => {
  const larger = new Uint8Array([9, 1, 2, 3, 9])
  expect(sha256Hex(larger.subarray(1, 4))).toBe(bytesToHex(portable(new Uint8Array([1, 2, 3]))))
})
