import { endpoints, limits, type RateLimit, SECOND, type TestingIntake } from '@guildhall/protocol'
import type { HeldKey } from '../../domain/idempotency/held-key.ts'
import type { Instant } from '../../domain/instant.ts'
import { inboxOf } from '../../domain/owner/inbox-of.ts'
import { OverLimit } from '../../domain/rate-limit/over-limit.ts'
import type { Standing } from '../../domain/rate-limit/standing.ts'
import { refuse } from '../../domain/refusal.ts'
import { intakeMail } from '../../domain/testing/mail-texts.ts'
import type { World } from '../../ports/world.ts'
import { countAgainst } from '../count-against.ts'
import { useKey } from '../hold-key.ts'
import { issueSignInLink } from '../owners/issue-sign-in-link.ts'
import { changeOf } from '../signed-change.ts'
import { checkIntake, draftRequest } from './draft-request.ts'

export type Intake = {
  readonly email: string
  readonly intake: TestingIntake
  /** The network of the call: intakes are limited per network, too. */
  readonly network: string
  readonly held: HeldKey | null
}

/** Stores a request until the reader of the address confirms it. Known and unknown addresses are treated alike. */
export async function submitIntake(world: World, { email, intake, network, held }: Intake): Promise<Standing> {
  checkIntake(world, intake)
  if (world.mailer === null) refuse('mail_unavailable')
  const standing = await changeOf(world, async (tx) => {
    await useKey(tx, held)
    const counted = await countAgainst(endpoints.submitIntake.limit, world, tx, network)
    // The count locks the inbox's row, so that concurrent calls cannot exceed the limit of pending intakes.
    await countAgainst(endpoints.submitIntake.addressLimit, world, tx, inboxOf(email))
    const now = world.clock.now()
    const pending = await tx.pendingIntakes(email, now)
    if (pending.length >= PENDING.points)
      throw new OverLimit(PENDING, secondsUntil(pending[0] ?? now, now), STILL_PENDING)
    const request = { ...draftRequest(world, email, intake), confirmBy: now + limits.testing.confirmMs }
    await tx.insertTestingRequest(request)
    const words = intakeMail(world.rules.serviceName, intake.product_name)
    await issueSignInLink(world, tx, { email, intent: `testing:${request.id}`, ...words })
    return counted
  })
  world.nudge()
  return standing
}

/** A pending intake frees its place when it is confirmed, or expires. */
const PENDING: RateLimit = {
  name: 'testing-intake-pending',
  per: 'address',
  counts: 'done',
  points: limits.testing.pendingPerAddress,
  windowMs: limits.testing.confirmMs,
}
const STILL_PENDING = 'So many requests of this address wait to be confirmed that no more are taken; confirm one first.'

const secondsUntil = (then: Instant, now: Instant): number => Math.max(1, Math.ceil((then - now) / SECOND))
