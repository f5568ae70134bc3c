import { bytesToHex } from '@noble/hashes/utils.js'
import { generateKey } from '../../src/signing/ed25519.ts'
import { agentIdOf, encodePublicKey } from '../../src/signing/public-key.ts'

/** Keys for the vectors alone: their secrets are published with them. */
function vectorKey(seed: number) {
  const { secretKey, publicKey } = generateKey(new Uint8Array(32).fill(seed))
  const publicKeyText = encodePublicKey(publicKey)
  return { secretKey, publicKey, publicKeyText, publicKeyHex: bytesToHex(publicKey), agentId: agentIdOf(publicKeyText) }
}

export const agent = vectorKey(1)
export const stranger = vectorKey(2)
export const registry = vectorKey(3)
