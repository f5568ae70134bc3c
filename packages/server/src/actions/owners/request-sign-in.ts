import { endpoints } from '@guildhall/protocol'
import type { HeldKey } from '../../domain/idempotency/held-key.ts'
import { inboxOf } from '../../domain/owner/inbox-of.ts'
import type { Standing } from '../../domain/rate-limit/standing.ts'
import { refuse } from '../../domain/refusal.ts'
import type { World } from '../../ports/world.ts'
import { useKey } from '../hold-key.ts'
import { changeOf } from '../signed-change.ts'
import { countAgainst } from '../tasks/count-against.ts'
import { issueSignInLink } from './issue-sign-in-link.ts'

export type SignInRequest = {
  readonly email: string
  readonly next: string | null
  /** Where the call came from: links are counted for it too. */
  readonly network: string
  readonly held: HeldKey | null
}

/** Has a link mailed. Known and unknown addresses take the same way: who is known is looked up when the link is confirmed. */
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
