import type { Instant } from '../instant.ts'

/** A link mailed to an address: confirming it proves control of the address. */
export type SignInLink = {
  readonly email: string
  /** What else the link confirms, as a kind and its subject, such as `testing:req_1`. */
  readonly intent: string | null
  readonly createdAt: Instant
  readonly expiresAt: Instant
}
