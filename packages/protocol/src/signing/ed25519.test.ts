import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'
import { ED25519_TORSION_SUBGROUP, ed25519 } from '@noble/curves/ed25519.js'
import { bytesToNumberLE, concatBytes, numberToBytesLE } from '@noble/curves/utils.js'
import { sha512 } from '@noble/hashes/sha2.js'
import { hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  generateKey,
  isAcceptableKey,
  isWellFormedSignature,
  publicKeyOf,
  signEd25519,
  verifyEd25519,
  verifyPortably,
} from './ed25519.ts'

const { Point } = ed25519
const L = Point.Fn.ORDER
const zeros = (count: number): string => '00'.repeat(count)
const effs = (count: number): string => 'ff'.repeat(count)

const badKeys: Readonly<Record<string, string>> = {
  'the identity': `01${zeros(31)}`,
  'order 2': `ec${effs(30)}7f`,
  'order 4': zeros(32),
  'order 4, odd x': `${zeros(31)}80`,
  'order 8': '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'order 8, odd x': '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85',
  'order 8, other y': 'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'order 8, other y, odd x': 'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
  'the identity with minus zero': `01${zeros(30)}80`,
  'order 2 with minus zero': `ec${effs(30)}ff`,
  'y = p': `ed${effs(30)}7f`,
  'y = p, odd x': `ed${effs(30)}ff`,
  'y = p + 1': `ee${effs(30)}7f`,
  'y = p + 1, odd x': `ee${effs(30)}ff`,
  'y = p + 3, a point when reduced': `f0${effs(30)}7f`,
  'y = 2^255 - 1': `${effs(31)}7f`,
  'all ones': effs(32),
  'off the curve': `02${zeros(31)}`,
  '31 bytes': zeros(31),
  '33 bytes': `58${'66'.repeat(32)}`,
  'no bytes': '',
}

describe('a key that an agent may have', () => {
  test.each(Object.entries(badKeys))('%s is refused', (_, hex) => {
    expect(isAcceptableKey(hexToBytes(hex))).toBe(false)
  })

  test('every key that is generated is accepted', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (seed) => {
        const { secretKey, publicKey } = generateKey(seed)
        return isAcceptableKey(publicKey) && publicKeyOf(secretKey).length === 32
      }),
      { numRuns: 30 },
    )
    expect(isAcceptableKey(generateKey().publicKey)).toBe(true)
    expect(() => generateKey(new Uint8Array(31))).toThrow(RangeError)
  })
})

// RFC 8032, section 7.1.
const rfcVectors = [
  {
    secret: '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
    key: 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
    message: '',
    signature:
      'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
  },
  {
    secret: '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb',
    key: '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
    message: '72',
    signature:
      '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
  },
]

describe.each([
  ['natively', verifyEd25519],
  ['portably', verifyPortably],
])('signing, and verifying %s', (_, verifies) => {
  test.each(rfcVectors)('agrees with RFC 8032 for the key $key', ({ secret, key, message, signature }) => {
    expect(publicKeyOf(hexToBytes(secret))).toEqual(hexToBytes(key))
    expect(signEd25519(hexToBytes(secret), hexToBytes(message))).toEqual(hexToBytes(signature))
    expect(verifies(hexToBytes(key), hexToBytes(message), hexToBytes(signature))).toBe(true)
  })

  test('a signature counts for its own key, message and bytes alone', () => {
    const { secretKey, publicKey } = generateKey(new Uint8Array(32).fill(7))
    const message = utf8ToBytes('deliver')
    const signature = signEd25519(secretKey, message)
    expect(verifies(publicKey, message, signature)).toBe(true)
    expect(verifies(generateKey().publicKey, message, signature)).toBe(false)
    expect(verifies(publicKey, utf8ToBytes('Deliver'), signature)).toBe(false)
    expect(verifies(publicKey, message, signature.subarray(0, 63))).toBe(false)
    for (const at of [0, 31, 32, 63]) {
      expect(verifies(publicKey, message, signature.with(at, (signature[at] ?? 0) ^ 1))).toBe(false)
    }
  })

  test('S + L, a second text of the same signature, is refused', () => {
    const { secretKey, publicKey } = generateKey(new Uint8Array(32).fill(9))
    const signature = signEd25519(secretKey, new Uint8Array())
    const s = bytesToNumberLE(signature.subarray(32))
    const malleable = concatBytes(signature.subarray(0, 32), numberToBytesLE(s + L, 32))
    expect(isWellFormedSignature(signature)).toBe(true)
    expect(isWellFormedSignature(malleable)).toBe(false)
    expect(verifies(publicKey, new Uint8Array(), malleable)).toBe(false)
  })

  test.each(ED25519_TORSION_SUBGROUP)('an R of small order is refused, though the equation holds: %s', (torsion) => {
    const { publicKey, message, signature } = signedWithR(torsion)
    expect(isWellFormedSignature(signature)).toBe(false)
    expect(verifies(publicKey, message, signature)).toBe(false)
  })

  test('nobody signs for a key of small order', () => {
    const identity = hexToBytes(`01${zeros(31)}`)
    expect(verifies(identity, utf8ToBytes('anything'), concatBytes(identity, new Uint8Array(32)))).toBe(false)
  })
})

describe('OpenSSL and this code', () => {
  test('sign and verify alike', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 32, maxLength: 32 }),
        fc.uint8Array({ maxLength: 300 }),
        (seed, message) => {
          const { secretKey, publicKey } = generateKey(seed)
          const theirs = new Uint8Array(sign(null, message, nativePrivateKey(secretKey, publicKey)))
          expect(signEd25519(secretKey, message)).toEqual(theirs)
          expect(verifyPortably(publicKey, message, theirs)).toBe(true)
        },
      ),
      { numRuns: 20 },
    )
  })

  test('give one verdict on keys and signatures with a part of small order', () => {
    const verdicts = { accepted: 0, refused: 0 }
    for (const torsion of ED25519_TORSION_SUBGROUP) {
      for (let i = 0; i < 6; i++) {
        const { publicKey, message, signature } = signedWithTorsion(torsion, i)
        const ours = verifyPortably(publicKey, message, signature)
        expect(ours).toBe(verify(null, message, nativePublicKey(publicKey), signature))
        verdicts[ours ? 'accepted' : 'refused'] += 1
      }
    }
    expect(verdicts.accepted).toBeGreaterThan(0)
    expect(verdicts.refused).toBeGreaterThan(0)
  })
})

function signedWithTorsion(torsionHex: string, i: number) {
  const [a, r] = [1234567n + BigInt(i), 7654321n]
  const key = Point.BASE.multiply(a).add(Point.fromHex(torsionHex))
  const publicKey = key.toBytes()
  const message = utf8ToBytes(`message ${i}`)
  const R = Point.BASE.multiply(r).toBytes()
  const k = bytesToNumberLE(sha512(concatBytes(R, publicKey, message))) % L
  return { publicKey, message, signature: concatBytes(R, numberToBytesLE((r + k * a) % L, 32)) }
}

/** With R a point of small order. It takes a key with a part of that order, and a message whose hash fits. */
function signedWithR(torsionHex: string) {
  const a = 1234567n
  const torsion = Point.fromHex(torsionHex)
  const publicKey = Point.BASE.multiply(a).add(torsion).toBytes()
  const R = hexToBytes(torsionHex)
  for (let i = 0; ; i++) {
    const message = utf8ToBytes(`message ${i}`)
    const k = bytesToNumberLE(sha512(concatBytes(R, publicKey, message))) % L
    if (!torsion.multiplyUnsafe(k).negate().equals(torsion)) continue
    return { publicKey, message, signature: concatBytes(R, numberToBytesLE((k * a) % L, 32)) }
  }
}

function nativePublicKey(publicKey: Uint8Array) {
  const x = Buffer.from(publicKey).toString('base64url')
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
}

function nativePrivateKey(secretKey: Uint8Array, publicKey: Uint8Array) {
  const [d, x] = [secretKey, publicKey].map((bytes) => Buffer.from(bytes).toString('base64url'))
  return createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', d: d ?? '', x: x ?? '' }, format: 'jwk' })
}
