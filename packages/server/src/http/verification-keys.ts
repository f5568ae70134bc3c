import { createPublicKey, type KeyObject } from 'node:crypto'
import { isAcceptableKey } from '@guildhall/protocol'

/** The key object for native verification, or null when the key is not allowed for an agent. */
export type VerificationKeys = (publicKey: string, bytes: Uint8Array) => KeyObject | null

/** Caches the most recently used keys: importing one costs more than verifying with it. */
export function createVerificationKeys(capacity = 10_000): VerificationKeys {
  const kept = new Map<string, KeyObject>()
  return (publicKey, bytes) => {
    const known = kept.get(publicKey)
    if (known !== undefined) {
      kept.delete(publicKey)
      kept.set(publicKey, known)
      return known
    }
    if (!isAcceptableKey(bytes)) return null
    const key = importKey(bytes)
    kept.set(publicKey, key)
    if (kept.size > capacity) {
      const [oldest] = kept.keys()
      if (oldest !== undefined) kept.delete(oldest)
    }
    return key
  }
}

const importKey = (bytes: Uint8Array): KeyObject =>
  createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(bytes).toString('base64url') },
    format: 'jwk',
  })
