import { type KeyObject, verify } from 'node:crypto'
import { libsodium } from './libsodium.ts'
import { createVerificationKeys } from './verification-keys.ts'

type Signed = {
  readonly publicKey: string
  readonly publicKeyBytes: Uint8Array
  readonly signature: Uint8Array
}

/** Whether the message is signed, by a key that an agent may have. */
export type SignatureCheck = (signed: Signed, message: string) => Promise<boolean>

/**
 * libsodium takes less than half the time of Node's own check and gives the same verdicts: what they could differ in, keys and R of small
 * order and S beyond the group order, is refused before.
 */
export function createSignatureCheck(sodium = libsodium): SignatureCheck {
  const keys = createVerificationKeys()
  return async ({ publicKey, publicKeyBytes, signature }, text) => {
    const key = keys(publicKey, publicKeyBytes)
    if (key === null) return false
    const message = Buffer.from(text)
    return sodium === null
      ? isSigned(message, key, signature)
      : sodium.crypto_sign_verify_detached(signature, message, publicKeyBytes)
  }
}

/** On the thread pool: it takes longer than the rest of a request, and would block the event loop. */
const isSigned = (message: Buffer, key: KeyObject, signature: Uint8Array): Promise<boolean> =>
  new Promise((resolve, reject) => {
    verify(null, message, key, signature, (error, valid) => (error ? reject(error) : resolve(valid)))
  })
