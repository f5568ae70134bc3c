import { createHash } from 'node:crypto'
import { hexToBytes } from '@noble/hashes/utils.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { generateKey } from './ed25519.ts'
import { nonceSearch } from './one-block-sha256.ts'
import { provesWork, solveProofOfWork } from './proof-of-work.ts'

const { publicKey } = generateKey(new Uint8Array(32).fill(2))

const zeroBits = (nonceHex: string): number => {
  const hash = createHash('sha256').update(publicKey).update(nonceHex, 'hex').digest('hex')
  const bits = Array.from(hash, (digit) => Number.parseInt(digit, 16).toString(2).padStart(4, '0')).join('')
  return bits.indexOf('1')
}
const hex = (nonce: number): string => nonce.toString(16).padStart(8, '0')

describe('a proof of work', () => {
  test('is sha256(key || nonce) with at least that many leading zero bits, to the bit', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xffffffff }).map(hex), (nonce) => {
        const bits = zeroBits(nonce)
        return provesWork(publicKey, nonce, bits) && !provesWork(publicKey, nonce, bits + 1)
      }),
    )
  })

  test('has a nonce of exactly 8 lower-case hex characters', async () => {
    const nonce = (await solveProofOfWork(publicKey, 12)) ?? ''
    expect(provesWork(publicKey, nonce, 12)).toBe(true)
    const others = [
      nonce.slice(1),
      `0${nonce}`,
      `0x${nonce}`,
      `0x${nonce.slice(2)}`,
      ` ${nonce}`,
      `${nonce}\n`,
      'zzzzzzzz',
      '',
      '-0000001',
    ]
    for (const other of others) expect(provesWork(publicKey, other, 0), other).toBe(false)
    expect(provesWork(publicKey, 'ABCDEF01', 0)).toBe(false)
    expect(provesWork(publicKey, 'abcdef01', 0)).toBe(true)
  })

  test('is for one key', async () => {
    const nonce = (await solveProofOfWork(publicKey, 16)) ?? ''
    expect(provesWork(generateKey(new Uint8Array(32).fill(4)).publicKey, nonce, 16)).toBe(false)
    expect(provesWork(publicKey.subarray(1), nonce, 0)).toBe(false)
  })
})

describe('the solver', () => {
  test('finds the first nonce that counts', async () => {
    let first = 0
    while (zeroBits(hex(first)) < 12) first += 1
    expect(await solveProofOfWork(publicKey, 12)).toBe(hex(first))
  })

  test('hashes as SHA-256 does, for any key and nonce', () => {
    const nonces = fc.integer({ min: 0, max: 0xffffffff })
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), nonces, (key, nonce) => {
        const hash = createHash('sha256')
          .update(key)
          .update(hexToBytes(hex(nonce)))
          .digest()
        const difficulty = Math.clz32(hash.readUInt32BE(0))
        fc.pre(difficulty > 0)
        return (
          nonceSearch(key, difficulty)(nonce, 1, 1) === nonce && nonceSearch(key, difficulty + 1)(nonce, 1, 1) === -1
        )
      }),
    )
  })

  test('splits the nonces between workers', async () => {
    const [even, odd] = await Promise.all([0, 1].map((from) => solveProofOfWork(publicKey, 10, { from, step: 2 })))
    expect(Number.parseInt(even ?? '', 16) % 2).toBe(0)
    expect(Number.parseInt(odd ?? '', 16) % 2).toBe(1)
    for (const nonce of [even, odd]) expect(provesWork(publicKey, nonce ?? '', 10)).toBe(true)
  })

  test('stops at the last nonce of four bytes', async () => {
    const hard = { from: 2 ** 32 - 3, step: 2 }
    expect(await solveProofOfWork(publicKey, 26, hard)).toBeNull()
  })

  test('tells its progress, lets others work and can be stopped', async () => {
    const stop = new AbortController()
    const told: number[] = []
    const onProgress = (hashes: number): void => {
      told.push(hashes)
      if (told.length === 2) setTimeout(() => stop.abort(), 0)
    }
    const hopeless = solveProofOfWork(new Uint8Array(32).fill(255), 26, { onProgress, signal: stop.signal })
    await expect(hopeless).rejects.toThrow('abort')
    expect(told.length).toBeGreaterThanOrEqual(2)
    expect(told[1]).toBe(2 * (told[0] ?? 0))
  })

  test('refuses what cannot be solved', async () => {
    await expect(solveProofOfWork(publicKey, 27)).rejects.toThrow(RangeError)
    await expect(solveProofOfWork(publicKey, 0)).rejects.toThrow(RangeError)
    await expect(solveProofOfWork(publicKey.subarray(1), 8)).rejects.toThrow(RangeError)
    await expect(solveProofOfWork(publicKey, 8, { step: 0 })).rejects.toThrow(RangeError)
  })
})
