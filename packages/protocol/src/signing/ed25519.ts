import { ED25519_TORSION_SUBGROUP, ed25519 } from '@noble/curves/ed25519.js'
import { bytesToNumberLE, concatBytes, equalBytes, hexToBytes } from '@noble/curves/utils.js'
import { sha512 } from '@noble/hashes/sha2.js'
import { base64urlnopad } from '@scure/base'

const { Point } = ed25519
const GROUP_ORDER = Point.Fn.ORDER
const POINTS_OF_SMALL_ORDER = ED25519_TORSION_SUBGROUP.map(hexToBytes)

export type KeyPair = {
  readonly secretKey: Uint8Array
  readonly publicKey: Uint8Array
}

/** A new key pair, from 32 random bytes. */
export function generateKey(randomBytes: Uint8Array = crypto.getRandomValues(new Uint8Array(32))): KeyPair {
  if (randomBytes.length !== 32) throw new RangeError('an Ed25519 secret key is 32 random bytes')
  const secretKey = Uint8Array.from(randomBytes)
  return { secretKey, publicKey: publicKeyOf(secretKey) }
}

export function publicKeyOf(secretKey: Uint8Array): Uint8Array {
  return ed25519.getPublicKey(secretKey)
}

export function signEd25519(secretKey: Uint8Array, message: Uint8Array): Uint8Array {
  return ed25519.sign(message, secretKey)
}

const native = globalThis.process?.getBuiltinModule?.('node:crypto')

/** Uses Node's native crypto where available, which is several times as fast and gives the same verdicts. */
export function verifyEd25519(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  if (native === undefined) return verifyPortably(publicKey, message, signature)
  if (!isAcceptableKey(publicKey) || !isWellFormedSignature(signature)) return false
  const key = { kty: 'OKP', crv: 'Ed25519', x: base64urlnopad.encode(publicKey) }
  return native.verify(null, message, { key, format: 'jwk' }, signature)
}

/**
 * RFC 8032 without the cofactor: only the exact R of the equation is accepted, as in OpenSSL, so that a server with native crypto
 * and a browser never disagree.
 */
export function verifyPortably(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  const key = decodeKey(publicKey)
  if (key === null || !isWellFormedSignature(signature)) return false
  const r = signature.subarray(0, 32)
  const s = bytesToNumberLE(signature.subarray(32))
  const k = bytesToNumberLE(sha512(concatBytes(r, publicKey, message))) % GROUP_ORDER
  const expected = Point.BASE.multiplyUnsafe(s).subtract(key.multiplyUnsafe(k))
  return equalBytes(expected.toBytes(), r)
}

/**
 * 64 bytes with S below the group order, because S + L would be a second text for the same signature, and with an R that is not of
 * small order: OpenSSL takes those in some versions and refuses them in others. No library signs like that.
 */
export function isWellFormedSignature(signature: Uint8Array): boolean {
  if (signature.length !== 64 || beginsWithPointOfSmallOrder(signature)) return false
  const isBelow2To252 = (signature[63] ?? 0) < 0x10
  return isBelow2To252 || bytesToNumberLE(signature.subarray(32)) < GROUP_ORDER
}

const beginsWithPointOfSmallOrder = (bytes: Uint8Array): boolean =>
  POINTS_OF_SMALL_ORDER.some((point) => point.every((byte, at) => byte === bytes[at]))

/** 32 bytes that encode, canonically, a point of the curve which is not of small order (anyone can sign for those). */
export function isAcceptableKey(publicKey: Uint8Array): boolean {
  return decodeKey(publicKey) !== null
}

function decodeKey(publicKey: Uint8Array) {
  if (publicKey.length !== 32) return null
  try {
    const point = Point.fromBytes(publicKey, false)
    return point.isSmallOrder() ? null : point
  } catch {
    return null
  }
}
