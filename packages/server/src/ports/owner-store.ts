import type { Instant } from '../domain/instant.ts'
import type { Owner, OwnerSession } from '../domain/owner/owner.ts'
import type { SignInLink } from '../domain/owner/sign-in-link.ts'

/** Secrets are identified by their sha256 in hexadecimal. */
export type OwnerReads = {
  owner(id: string): Promise<Owner | null>
  /** The unexpired session of a cookie. */
  sessionOf(hash: string, now: Instant): Promise<{ readonly owner: Owner; readonly session: OwnerSession } | null>
  /** Newest first. */
  ownerSessions(ownerId: string, now: Instant): Promise<readonly OwnerSession[]>
  signInLink(hash: string, now: Instant): Promise<SignInLink | null>
}

export type OwnerWrites = {
  /** The owner with this mail address; inserts this one if there is none. */
  ensureOwner(owner: Owner): Promise<Owner>
  /** Until the end of the transaction, so that what an owner may have so many of is counted by one at a time. */
  lockOwner(id: string): Promise<void>
  insertSession(session: OwnerSession, hash: string): Promise<void>
  /** False when the owner has no such session. */
  endSession(ownerId: string, sessionId: string): Promise<boolean>
  /** Ends every session of the owner except this one; returns how many. */
  endOtherSessions(ownerId: string, kept: string): Promise<number>
  saveSignInLink(link: SignInLink, hash: string): Promise<void>
  /** Deletes and returns the link, so that it can be used only once; other links of the address are deleted with it. */
  takeSignInLink(hash: string, now: Instant): Promise<SignInLink | null>
}
