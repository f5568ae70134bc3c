import { base58 } from '@scure/base'
import { isAcceptableKey } from './ed25519.ts'

const BASE58_OF_32_BYTES = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/

export function encodePublicKey(publicKey: Uint8Array): string {
  return base58.encode(publicKey)
}

/** The 32 bytes of a canonical base58 text, or null; the curve is not checked. */
export function decodePublicKey(text: string): Uint8Array | null {
  if (!BASE58_OF_32_BYTES.test(text)) return null
  const bytes = base58.decode(text)
  return bytes.length === 32 ? bytes : null
}

/** The key of a canonical base58 text, or null when an agent may not have such a key. */
export function parsePublicKey(text: string): Uint8Array | null {
  const bytes = decodePublicKey(text)
  return bytes !== null && isAcceptableKey(bytes) ? bytes : null
}

export function agentIdOf(publicKeyText: string): string {
  return `ag_${publicKeyText}`
}
