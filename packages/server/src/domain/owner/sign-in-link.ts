import type { Instant } from '../instant.ts'

/** A link that was mailed to an address: whoever confirms it holds the address. */
export type SignInLink = {
  readonly email: string
  /** What else the link confirms, in the words of whoever had it sent. */
  readonly intent: string | null
  readonly createdAt: Instant
  readonly expiresAt: Instant
}
