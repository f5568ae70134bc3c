import fc from 'fast-check'
import { concat, type Hex, numberToHex, recoverAddress, size, slice, toHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { recoverSigner } from './recover-signer.ts'

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const account = privateKeyToAccount(generatePrivateKey())
const digest = toHex(new Uint8Array(32).fill(7))
const signature = await account.sign({ hash: digest })
const r = slice(signature, 0, 32)
const s = slice(signature, 32, 64)
const v = slice(signature, 64)

const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => toHex(bytes))

const byViem = async (hash: Hex, given: Hex): Promise<string | null> => {
  try {
    return (await recoverAddress({ hash, signature: given })).toLowerCase()
  } catch {
    return null
  }
}

describe('the recovered signer', () => {
  test('is the one that viem recovers, for real signatures', async () => {
    for (let round = 0; round < 20; round++) {
      const signer = privateKeyToAccount(generatePrivateKey())
      const hash = generatePrivateKey()
      const signed = await signer.sign({ hash })
      expect(recoverSigner(hash, signed)).toBe(signer.address.toLowerCase())
      expect(await byViem(hash, signed)).toBe(signer.address.toLowerCase())
    }
  })

  test('is the one that viem recovers, for numbers in the form of a signature', async () => {
    const lowS = bytes32.map((hex) => numberToHex(BigInt(hex) % (ORDER / 2n), { size: 32 }))
    const forms = fc.tuple(bytes32, bytes32, lowS, fc.constantFrom<Hex>('0x1b', '0x1c'))
    await fc.assert(
      fc.asyncProperty(forms, async ([hash, ...parts]) => {
        const given = concat(parts)
        expect(recoverSigner(hash, given)).toBe(await byViem(hash, given))
      }),
      { numRuns: 60 },
    )
  })

  test('is nobody for the mirrored signature with a high s', () => {
    const high = numberToHex(ORDER - BigInt(s), { size: 32 })
    const flipped: Hex = v === '0x1b' ? '0x1c' : '0x1b'
    expect(recoverSigner(digest, concat([r, high, flipped]))).toBeNull()
  })

  test('is nobody unless v is 27 or 28', () => {
    for (const other of ['0x00', '0x01', '0x1a', '0x1d', '0xff'] as const) {
      expect(recoverSigner(digest, concat([r, s, other]))).toBeNull()
    }
  })

  test('is nobody for another length, for zeros and for what is no signature', () => {
    const zero = numberToHex(0, { size: 32 })
    const compact = slice(signature, 0, 64)
    const wrong = [
      compact,
      concat([signature, '0x00']),
      concat([zero, s, v]),
      concat([r, zero, v]),
      '0x',
      '0xzz',
    ] as Hex[]
    for (const given of wrong) expect(recoverSigner(digest, given)).toBeNull()
    expect(size(compact)).toBe(64)
  })
})
