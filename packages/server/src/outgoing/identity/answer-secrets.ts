import { createHmac } from 'node:crypto'

/** What the provider's answer must match besides its state. */
export type AnswerSecrets = { readonly nonce: string; readonly verifier: string }

/** Derived from our key and the state, which only the person's browser has, so that neither is stored. */
export const answerSecrets = (key: Uint8Array, state: string): AnswerSecrets => ({
  nonce: derived(key, 'nonce', state),
  verifier: derived(key, 'verifier', state),
})

const derived = (key: Uint8Array, purpose: string, state: string): string =>
  createHmac('sha256', key).update(`${purpose} ${state}`).digest('base64url')
