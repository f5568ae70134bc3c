import { limits } from '@guildhall/protocol'
import type { Owner, OwnerSession } from '../../domain/owner/owner.ts'
import type { SignInLink } from '../../domain/owner/sign-in-link.ts'
import type { World } from '../../ports/world.ts'
import { newId } from '../new-id.ts'
import { changeOf } from '../signed-change.ts'
import { newSecretToken, secretHash } from './secret-token.ts'
import { carryOutIntent } from './sign-in-intents.ts'

const TOKEN = /^[A-Za-z0-9_-]{43}$/

export type SignedInNow = {
  readonly owner: Owner
  readonly session: OwnerSession
  /** The secret for the cookie; it is not stored. */
  readonly token: string
  /** The path to go to after the confirmation; null for none in particular. */
  readonly next: string | null
}

/** Shows a link without using it up: mail scanners open every link in a mail. */
export const lookAtLink = async ({ store, clock }: World, token: string): Promise<SignInLink | null> =>
  TOKEN.test(token) ? store.signInLink(secretHash(token), clock.now()) : null

/**
 * Signs in the person who confirms a link, with a new secret; the browser's earlier session ends. Null for a link that is used,
 * expired or unknown.
 */
export async function confirmSignIn(
  world: World,
  token: string,
  before: OwnerSession | null,
): Promise<SignedInNow | null> {
  if (!TOKEN.test(token)) return null
  return changeOf(world, async (tx) => {
    const now = world.clock.now()
    const link = await tx.takeSignInLink(secretHash(token), now)
    if (link === null) return null
    const owner = await tx.ensureOwner({ id: newId(world, 'own'), email: link.email, createdAt: now })
    const secret = newSecretToken(world.random)
    const session: OwnerSession = {
      id: newId(world, 'ses'),
      ownerId: owner.id,
      createdAt: now,
      expiresAt: now + limits.owner.sessionMs,
    }
    if (before !== null) await tx.endSession(before.ownerId, before.id)
    await tx.insertSession(session, secretHash(secret))
    return { owner, session, token: secret, next: await carryOutIntent(world, tx, owner, link.intent) }
  })
}
