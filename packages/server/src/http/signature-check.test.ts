import { createPublicKey, verify } from 'node:crypto'
import { encodePublicKey, generateKey, signEd25519 } from '@guildhall/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Libsodium, libsodium } from './libsodium.ts'
import { createSignatureCheck } from './signature-check.ts'

type Case = { readonly publicKey: Uint8Array; readonly signature: Uint8Array; readonly message: string }

const keys = generateKey(new Uint8Array(32).fill(7))
const signed = (message: string): Case => ({
  publicKey: keys.publicKey,
  signature: signEd25519(keys.secretKey, Buffer.from(message)),
  message,
})
const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n
const numberOf = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`)
const bytesOf = (number: bigint): Buffer => Buffer.from(number.toString(16).padStart(64, '0'), 'hex').reverse()

/** By a key to which a point of order 8 was added, for a message whose hash is a multiple of 8, and for one whose is not. */
const TORSION_KEY = Buffer.from('5218bec9ac0aeea7b1c34491b415b50d6dd4344d044058f7176e9d3b44d9071f', 'hex')
const TORSION_R = 'f0e92dbede6e0d80fbf877969f41e82ac9f3421d3083d77aea45cf93d1385484'
const withTorsion = (message: string, s: string): Case => ({
  publicKey: TORSION_KEY,
  signature: Buffer.from(TORSION_R + s, 'hex'),
  message,
})

const good = signed('POST:/v1/tasks')
const { signature } = good
const mirrored = Buffer.concat([signature.subarray(0, 32), bytesOf(numberOf(signature.subarray(32)) + ORDER)])
const cases: readonly (readonly [string, Case])[] = [
  ['a signature', good],
  [
    'one by a key with torsion that holds',
    withTorsion('message 0', '290ec0278d988693082dbfbb131111186b5fdc1d15bcc0e3a559e3ab8f22b806'),
  ],
  [
    'one by a key with torsion that holds only when the cofactor is multiplied in',
    withTorsion('message 1', '6ad94f817f25f5d0bfc565023116ecc91214923e6a183363b4e362a3bdd6bb06'),
  ],
  ['one of another message', { ...good, message: 'POST:/v1/task' }],
  ['one by another key', { ...good, publicKey: generateKey().publicKey }],
  ['its second text, S + L', { ...good, signature: mirrored }],
]

function byNode({ publicKey, signature, message }: Case): boolean {
  const x = Buffer.from(publicKey).toString('base64url')
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  return verify(null, Buffer.from(message), key, signature)
}

const by = (sodium: Libsodium | null, { publicKey, signature, message }: Case): Promise<boolean> =>
  createSignatureCheck(sodium)({ publicKey: encodePublicKey(publicKey), publicKeyBytes: publicKey, signature }, message)

describe('the check of a signature', () => {
  test.each(cases)('%s is judged as Node does, with and without libsodium', async (_, given) => {
    const verdict = byNode(given)
    expect(await by(libsodium, given)).toBe(verdict)
    expect(await by(null, given)).toBe(verdict)
  })

  test('both verdicts occur', () => {
    expect(cases.map(([, given]) => byNode(given))).toEqual([true, true, false, false, false, false])
  })

  test('libsodium takes what was signed, whatever is in it, and nothing else', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat(63), fc.nat(7), (message, at, bit) => {
        const { publicKey, signature } = signed(message)
        const taken = (bytes: Uint8Array) =>
          libsodium?.crypto_sign_verify_detached(bytes, Buffer.from(message), publicKey)
        expect(taken(signature)).toBe(true)
        expect(taken(signature.with(at, (signature[at] ?? 0) ^ (1 << bit)))).toBe(false)
      }),
    )
  })

  test.each([true, false])('libsodium is asked where there is one: %s', async (verdict) => {
    const given = verdict ? { ...good, message: 'another' } : good
    expect(await by({ crypto_sign_verify_detached: () => verdict }, given)).toBe(verdict)
  })

  test('there is one for this machine', () => {
    expect(libsodium).not.toBe(null)
  })

  test('a key of small order is refused before either is asked', async () => {
    const takesAll = { crypto_sign_verify_detached: () => true }
    expect(await by(takesAll, { ...good, publicKey: bytesOf(1n) })).toBe(false)
  })
})
