import { endpoints, HOUR, limits, type RateLimit, SECOND, type TestingIntake } from '@guildhall/protocol'
import type { OwnerCaller } from '../../domain/owner/owner.ts'
import { OverLimit } from '../../domain/rate-limit/over-limit.ts'
import { refuse } from '../../domain/refusal.ts'
import type { TestingRequest } from '../../domain/testing/request.ts'
import type { Transaction } from '../../ports/store.ts'
import type { World } from '../../ports/world.ts'
import { burnForm, type SentForm } from '../burn-form.ts'
import { countAgainst } from '../count-against.ts'
import { ownerChange } from '../owners/owner-change.ts'
import { blankRequest, checkIntake, draftRequest } from './draft-request.ts'
import { ownRequest } from './own-request.ts'
import { canPayForTests } from './sign-house-deposit.ts'

/** A signed-in owner's request needs no confirmation. */
export function requestTest(
  world: World,
  caller: OwnerCaller,
  intake: TestingIntake,
  form: SentForm | null = null,
): Promise<TestingRequest> {
  checkIntake(world, intake)
  return ask(world, caller, draftRequest(world, caller.owner.email, intake), form)
}

/** The same test again with the same scope, so that the reports can be compared. */
export async function retestProduct(
  world: World,
  caller: OwnerCaller,
  id: string,
  form: SentForm | null = null,
): Promise<TestingRequest> {
  const before = await ownRequest(world, caller, id)
  if (!canPayForTests(world)) refuse('testing_unavailable')
  if (before.status !== 'reported')
    refuse('invalid_state', { status: before.status }, 'A test is done again once it has a report.')
  const { scope, scopeHash } = before
  const again = { ...blankRequest(world, caller.owner.email), scope, scopeHash, retestOf: before.id }
  return ask(world, caller, again, form)
}

const ask = (
  world: World,
  caller: OwnerCaller,
  drafted: TestingRequest,
  form: SentForm | null,
): Promise<TestingRequest> =>
  ownerChange(world, caller, async (tx) => {
    const { id: ownerId } = caller.owner
    if (form !== null) await burnForm(tx, form)
    await countAgainst(endpoints.createTestingRequest.limit, world, tx, ownerId)
    await tx.lockOwner(ownerId)
    await refuseTooMany(tx, ownerId)
    const request: TestingRequest = { ...drafted, status: 'confirmed', ownerId, confirmedAt: world.clock.now() }
    await tx.insertTestingRequest(request)
    return request
  })

/** A request frees its place when it ends. Nobody knows when that is: the window is how long to wait before asking again. */
const UNDER_WAY: RateLimit = {
  name: 'testing-requests-open',
  per: 'owner',
  counts: 'done',
  points: limits.testing.openPerOwner,
  windowMs: HOUR,
}
const STILL_UNDER_WAY = 'So many of your requests are under way that no more are taken before one has ended.'

/** Whoever calls it has locked the owner. */
export async function refuseTooMany(tx: Transaction, ownerId: string): Promise<void> {
  if ((await tx.openTestingRequests(ownerId)) >= UNDER_WAY.points)
    throw new OverLimit(UNDER_WAY, UNDER_WAY.windowMs / SECOND, STILL_UNDER_WAY)
}
