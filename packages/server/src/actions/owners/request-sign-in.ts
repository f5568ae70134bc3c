import { endpoints } from '@guildhall/protocol'
import type { HeldKey } from '../../domain/idempotency/held-key.ts'
import { inboxOf } from '../../domain/owner/inbox-of.ts'
import type { Standing } from '../../domain/rate-limit/standing.ts'
import { refuse } from '../../domain/refusal.ts'
import type { World } from '../../ports/world.ts'
import { countAgainst } from '../count-against.ts'
import { useKey } from '../hold-key.ts'
import { changeOf } from '../signed-change.ts'
import { issueSignInLink } from './issue-sign-in-link.ts'

export type SignInRequest = {
  readonly email: string
  readonly next: string | null
  /** The network of the call: links are limited per network, too. */
  readonly network: string
  readonly held: HeldKey | null
}

/**
 * Mails a sign-in link. Known and unknown addresses are treated alike: the owner is looked up only when the link is confirmed.
 */
export async function requestSignIn(world: World, { email, next, network, held }: SignInRequest): Promise<Standing> {
  if (world.mailer === null) refuse('mail_unavailable')
  const standing = await changeOf(world, async (tx) => {
    await useKey(tx, held)
    const counted = await countAgainst(endpoints.signIn.limit, world, tx, network)
    await countAgainst(endpoints.signIn.addressLimit, world, tx, inboxOf(email))
    await issueSignInLink(world, tx, { email, next })
    return counted
  })
  world.nudge()
  return standing
}
