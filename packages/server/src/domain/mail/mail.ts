import type { Instant } from '../instant.ts'

/** A mail that waits to be sent. Its text may hold secrets, such as a link that signs in: it is forgotten when it has left. */
export type Mail = {
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly createdAt: Instant
  /** After this it would be of no use any more. */
  readonly expiresAt: Instant
}

/** A mail that this node is trying to send, and no other; `fence` tells its turn from later ones. */
export type LeasedMail = Mail & { readonly attempts: number; readonly fence: number }
