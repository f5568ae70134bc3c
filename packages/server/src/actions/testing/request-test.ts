import { HOUR, limits, type RateLimit, SECOND, type TestingIntake } from '@guildhall/protocol'
import type { OwnerCaller } from '../../domain/owner/owner.ts'
import { refuse } from '../../domain/refusal.ts'
import type { TestingRequest } from '../../domain/testing/request.ts'
import type { Transaction } from '../../ports/store.ts'
import type { World } from '../../ports/world.ts'
import { countAgainst } from '../count-against.ts'
import { ownerChange } from '../owners/owner-change.ts'
import { blankRequest, checkIntake, draftRequest } from './draft-request.ts'
import { ownRequest } from './own-request.ts'
import { canPayForTests } from './sign-house-deposit.ts'

/** A signed-in owner's request needs no confirmation. */
export function requestTest(world: World, caller: OwnerCaller, intake: TestingIntake): Promise<TestingRequest> {
  checkIntake(world, intake)
  return ownerChange(world, caller, (tx) => ask(world, tx, caller, draftRequest(world, caller.owner.email, intake)))
}

/** The same test again with the same scope, so that the reports can be compared. */
export async function retestProduct(world: World, caller: OwnerCaller, id: string): Promise<TestingRequest> {
  const before = await ownRequest(world, caller, id)
  if (!canPayForTests(world)) refuse('testing_unavailable')
  if (before.status !== 'reported')
    refuse('invalid_state', { status: before.status }, 'A test is done again once it has a report.')
  const { scope, scopeHash } = before
  return ownerChange(world, caller, (tx) =>
    ask(world, tx, caller, { ...blankRequest(world, caller.owner.email), scope, scopeHash, retestOf: before.id }),
  )
}

const WAIT = { retry_after_seconds: HOUR / SECOND }
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
