import type { HeldKey } from '../idempotency/held-key.ts'
import type { Instant } from '../instant.ts'

/** A person, known by a mail address. */
export type Owner = {
  readonly id: string
  readonly email: string
  readonly createdAt: Instant
}

/** A browser in which an owner is signed in. */
export type OwnerSession = {
  readonly id: string
  readonly ownerId: string
  readonly createdAt: Instant
  readonly expiresAt: Instant
}

/** A signed-in owner who calls. */
export type OwnerCaller = {
  readonly owner: Owner
  readonly session: OwnerSession
  /** What changes in this session have to carry; it follows from the session's secret, which is stored nowhere. */
  readonly csrfToken: string
  /** The key under which the request came, to be marked in the transaction of the change. */
  readonly held?: HeldKey
}
