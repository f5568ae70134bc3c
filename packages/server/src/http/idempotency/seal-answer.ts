import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** An answer as it is sent, without the headers that every answer of its endpoint has. */
export type WireAnswer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * Answers may hold secrets that are stored nowhere else, such as a manage token. They are encrypted with a key from the caller,
 * which is not stored, so that read access to the database reveals no answer.
 */
export function sealAnswer(key: Uint8Array, answer: WireAnswer): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, key, nonce)
  const sealed = [nonce, cipher.update(JSON.stringify(answer), 'utf8'), cipher.final()]
  return Buffer.concat([...sealed, cipher.getAuthTag()])
}

export function openAnswer(key: Uint8Array, sealed: Uint8Array): WireAnswer {
  const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, NONCE_BYTES))
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
  const opened = [decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]
  return JSON.parse(Buffer.concat(opened).toString('utf8'))
}

export const answerKey = (secret: Uint8Array, callersKey: string, request: Uint8Array): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', Buffer.concat([secret, Buffer.from(callersKey)]), request, 'kept answer', 32))
