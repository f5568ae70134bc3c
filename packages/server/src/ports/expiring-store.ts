import type { Instant } from '../domain/instant.ts'
import type { RateWindow } from '../domain/rate-limit/standing.ts'

export type ExpiringReads = {
  /** The newest window of a key, which may be over. */
  rateWindow(key: string): Promise<RateWindow | null>
}

/** What is kept only for a while: used signatures and nonces, rate windows, and everything else with an end. */
export type ExpiringWrites = {
  /** False when the signature was used before. */
  burnSignature(hash: Uint8Array, expiresAt: Instant): Promise<boolean>
  /** False when the nonce was used before. */
  burnWalletNonce(purpose: 'payout wallet' | 'task action', nonce: string, at: Instant): Promise<boolean>
  /** Counts a hit in the key's window; if there is none, or it is over, the hit starts one of this length. */
  hit(key: string, now: Instant, windowMs: number): Promise<RateWindow>
  /** Deletes what has expired; returns the number of rows. */
  forgetExpired(now: Instant): Promise<number>
}
