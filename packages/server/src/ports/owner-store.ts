import type { Instant } from '../domain/instant.ts'
import type { Owner, OwnerSession } from '../domain/owner/owner.ts'
import type { SignInLink } from '../domain/owner/sign-in-link.ts'

/** Secrets are known here by their sha256, in hexadecimal. */
export type OwnerReads = {
  owner(id: string): Promise<Owner | null>
  /** The unexpired session of a cookie. */
  sessionOf(hash: string, now: Instant): Promise<{ readonly owner: Owner; readonly session: OwnerSession } | null>
  /** Newest first. */
  ownerSessions(ownerId: string, now: Instant): Promise<readonly OwnerSession[]>
  signInLink(hash: string, now: Instant): Promise<SignInLink | null>
}

export type OwnerWrites = {
  /** The owner of this address, who is made with this id when there is none yet. */
  ensureOwner(owner: Owner): Promise<Owner>
  insertSession(session: OwnerSession, hash: string): Promise<void>
  /** False when the owner has no such session. */
  endSession(ownerId: string, sessionId: string): Promise<boolean>
  /** Ends every session of the owner but this one; gives the number. */
  endOtherSessions(ownerId: string, kept: string): Promise<number>
  saveSignInLink(link: SignInLink, hash: string): Promise<void>
  /** Removes and gives back the link: it can be used once. With it go all others of its address. */
  takeSignInLink(hash: string, now: Instant): Promise<SignInLink | null>
}
