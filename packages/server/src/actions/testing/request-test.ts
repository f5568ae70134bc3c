import { AGENT_AUDIT, endpoints, HOUR, limits, type RateLimit, SECOND, type TestingIntake } from '@guildhall/protocol'
import type { HeldKey } from '../../domain/idempotency/held-key.ts'
import type { Instant } from '../../domain/instant.ts'
import { inboxOf } from '../../domain/owner/inbox-of.ts'
import type { OwnerCaller } from '../../domain/owner/owner.ts'
import { OverLimit } from '../../domain/rate-limit/over-limit.ts'
import type { Standing } from '../../domain/rate-limit/standing.ts'
import { refuse } from '../../domain/refusal.ts'
import { findSecretFields } from '../../domain/testing/find-secret-fields.ts'
import { intakeMail } from '../../domain/testing/mail-texts.ts'
import type { TestingRequest } from '../../domain/testing/request.ts'
import { scopeHashOf, scopeOf } from '../../domain/testing/scope.ts'
import type { Transaction } from '../../ports/store.ts'
import type { World } from '../../ports/world.ts'
import { useKey } from '../hold-key.ts'
import { newId } from '../new-id.ts'
import { issueSignInLink } from '../owners/issue-sign-in-link.ts'
import { ownerChange } from '../owners/owner-change.ts'
import { changeOf } from '../signed-change.ts'
import { countAgainst } from '../tasks/count-against.ts'
import { canPayForTests } from './sign-house-deposit.ts'

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
    const request = { ...draft(world, email, intake), confirmBy: now + limits.testing.confirmMs }
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

const WAIT = { retry_after_seconds: HOUR / SECOND }

/** A signed-in owner's request needs no confirmation. */
export function requestTest(world: World, caller: OwnerCaller, intake: TestingIntake): Promise<TestingRequest> {
  checkIntake(world, intake)
  return ownerChange(world, caller, (tx) => ask(world, tx, caller, draft(world, caller.owner.email, intake)))
}

/** The same test again with the same scope, so that the reports can be compared. */
export async function retestProduct(world: World, caller: OwnerCaller, id: string): Promise<TestingRequest> {
  const before = await ownRequest(world, caller, id)
  if (!canPayForTests(world)) refuse('testing_unavailable')
  if (before.status !== 'reported')
    refuse('invalid_state', { status: before.status }, 'A test is done again once it has a report.')
  const { scope, scopeHash } = before
  return ownerChange(world, caller, (tx) =>
    ask(world, tx, caller, { ...blank(world, caller.owner.email), scope, scopeHash, retestOf: before.id }),
  )
}

const PER_HOUR: RateLimit = { name: 'testing-requests', per: 'address', counts: 'done', points: 20, windowMs: HOUR }

async function ask(
  world: World,
  tx: Transaction,
  { owner }: OwnerCaller,
  drafted: TestingRequest,
): Promise<TestingRequest> {
  await countAgainst(PER_HOUR, world, tx, owner.id)
  await refuseTooMany(tx, owner.id)
  const request: TestingRequest = {
    ...drafted,
    status: 'confirmed',
    ownerId: owner.id,
    confirmedAt: world.clock.now(),
  }
  await tx.insertTestingRequest(request)
  return request
}

export async function refuseTooMany(tx: Transaction, ownerId: string): Promise<void> {
  if ((await tx.openTestingRequests(ownerId)) < limits.testing.openPerOwner) return
  refuse('rate_limited', WAIT, 'So many of your requests are under way that no more are taken before one has ended.')
}

/** A request of this owner, or one pending under their address; anybody else's counts as not found. */
export async function ownRequest(
  { store }: Pick<World, 'store'>,
  { owner }: Pick<OwnerCaller, 'owner'>,
  id: string,
): Promise<TestingRequest> {
  const request = await store.testingRequest(id)
  const isOwn = request?.ownerId === owner.id || (request?.status === 'unconfirmed' && request.email === owner.email)
  return request && isOwn ? request : refuse('not_found', { resource: 'testing request' })
}

function checkIntake(world: World, intake: TestingIntake): void {
  if (!canPayForTests(world)) refuse('testing_unavailable')
  const issues = findSecretFields(intake, 'intake')
  if (issues.length > 0) refuse('intake_invalid', { issues: [...issues] })
}

function draft(world: World, email: string, intake: TestingIntake): TestingRequest {
  const scope = scopeOf(intake, AGENT_AUDIT)
  return { ...blank(world, email), scope, scopeHash: scopeHashOf(scope) }
}

const blank = (world: World, email: string) =>
  ({
    id: newId(world, 'treq'),
    status: 'unconfirmed',
    email,
    ownerId: null,
    retestOf: null,
    note: null,
    createdAt: world.clock.now(),
    confirmBy: null,
    confirmedAt: null,
    decidedAt: null,
    endedAt: null,
    postAt: null,
    trouble: null,
  }) as const
