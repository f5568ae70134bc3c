import { type KeyObject, verify } from 'node:crypto'
import { createVerificationKeys } from './verification-keys.ts'

type Signed = {
  readonly publicKey: string
  readonly publicKeyBytes: Uint8Array
  readonly signature: Uint8Array
}

/** Whether the message is signed, by a key that an agent may have. */
export type SignatureCheck = (signed: Signed, message: string) => Promise<boolean>

export function createSignatureCheck(): SignatureCheck {
  const keys = createVerificationKeys()
  return async ({ publicKey, publicKeyBytes, signature }, message) => {
    const key = keys(publicKey, publicKeyBytes)
    return key !== null && isSigned(message, key, signature)
  }
}

/** Verified on the thread pool: it takes longer than the rest of a request, and would block the event loop. */
const isSigned = (message: string, key: KeyObject, signature: Uint8Array): Promise<boolean> =>
  new Promise((resolve, reject) => {
    verify(null, Buffer.from(message), key, signature, (error, valid) => (error ? reject(error) : resolve(valid)))
  })
