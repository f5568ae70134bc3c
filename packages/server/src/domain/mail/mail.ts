import type { Instant } from '../instant.ts'

/** A queued mail. Its text may hold secrets, such as a sign-in link: it is deleted once sent. */
export type Mail = {
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly createdAt: Instant
  /** After this the mail would be useless. */
  readonly expiresAt: Instant
}

/** A mail leased by this node for sending; `fence` tells this lease from later ones. */
export type LeasedMail = Mail & { readonly attempts: number; readonly fence: number }
