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

/** A signed-in owner who calls an endpoint. */
export type OwnerCaller = {
  readonly owner: Owner
  readonly session: OwnerSession
  /** Required with changes in this session; derived from the session's secret, which is not stored. */
  readonly csrfToken: string
  /** The Idempotency-Key of the request, to be marked in the transaction of the change. */
  readonly held?: HeldKey
}
