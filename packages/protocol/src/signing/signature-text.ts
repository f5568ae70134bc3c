import { base64 } from '@scure/base'
import { isWellFormedSignature, signEd25519, verifyEd25519 } from './ed25519.ts'

/** The last digit before the padding has four unused bits, which must be zero in the canonical text. */
const BASE64_OF_64_BYTES = /^[A-Za-z0-9+/]{85}[AQgw]==$/

/** The bytes of a signature written as canonical base64, or null: every signature has exactly one text. */
export function parseSignature(text: string): Uint8Array | null {
  if (!BASE64_OF_64_BYTES.test(text)) return null
  const bytes = base64.decode(text)
  return isWellFormedSignature(bytes) ? bytes : null
}

export function encodeSignature(signature: Uint8Array): string {
  return base64.encode(signature)
}

/** Base64 Ed25519 signature over the UTF-8 bytes of a text, such as a registration challenge. */
export function signText(secretKey: Uint8Array, text: string): string {
  return encodeSignature(signEd25519(secretKey, new TextEncoder().encode(text)))
}

export function verifyText(publicKey: Uint8Array, text: string, signatureText: string): boolean {
  const signature = parseSignature(signatureText)
  return signature !== null && verifyEd25519(publicKey, new TextEncoder().encode(text), signature)
}
