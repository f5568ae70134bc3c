import { type KeyObject, verify } from 'node:crypto'
import type { Arrivals } from './arrivals.ts'
import { createVerificationKeys } from './verification-keys.ts'

type Signed = {
  readonly publicKey: string
  readonly publicKeyBytes: Uint8Array
  readonly signature: Uint8Array
}

/** Whether the message is signed, by a key that an agent may have. */
export type SignatureCheck = (signed: Signed, message: string) => Promise<boolean>

/** Most of what is signed is about to change something: each check is followed as an arrival. */
export function createSignatureCheck({ follow }: Pick<Arrivals, 'follow'>): SignatureCheck {
  const keys = createVerificationKeys()
  return async ({ publicKey, publicKeyBytes, signature }, message) => {
    const key = keys(publicKey, publicKeyBytes)
    return key !== null && follow(isSigned(message, key, signature))
  }
}

/** Verified on the thread pool: it takes longer than the rest of a request, and would block the event loop. */
const isSigned = (message: string, key: KeyObject, signature: Uint8Array): Promise<boolean> =>
  new Promise((resolve, reject) => {
    verify(null, Buffer.from(message), key, signature, (error, valid) => (error ? reject(error) : resolve(valid)))
  })
