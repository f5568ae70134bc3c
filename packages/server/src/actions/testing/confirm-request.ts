import type { Owner, OwnerCaller } from '../../domain/owner/owner.ts'
import { moved } from '../../domain/testing/lifecycle.ts'
import type { TestingRequest } from '../../domain/testing/request.ts'
import type { Transaction } from '../../ports/store.ts'
import type { World } from '../../ports/world.ts'
import { ownerChange } from '../owners/owner-change.ts'
import { ownRequest } from './own-request.ts'
import { refuseTooMany } from './request-test.ts'

/**
 * Confirms a testing request through a mailed link, along with the sign-in. A request that can no longer be confirmed is left
 * alone.
 */
export async function confirmIntake(world: World, tx: Transaction, owner: Owner, id: string): Promise<string | null> {
  const request = await tx.lockTestingRequest(id)
  const inTime = (request?.confirmBy ?? 0) > world.clock.now()
  if (request?.status === 'unconfirmed' && request.email === owner.email && inTime)
    await tx.saveTestingRequest(confirmed(world, request, owner))
  return request?.email === owner.email ? `/console/testing/${id}` : null
}

/** A newer link replaces an older one: other requests under the same address are confirmed by its signed-in owner. */
export async function confirmRequest(world: World, caller: OwnerCaller, id: string): Promise<TestingRequest> {
  await ownRequest(world, caller, id)
  return ownerChange(world, caller, async (tx) => {
    await tx.lockOwner(caller.owner.id)
    const request = (await tx.lockTestingRequest(id)) ?? (await ownRequest(world, caller, id))
    const done = confirmed(world, request, caller.owner)
    await refuseTooMany(tx, caller.owner.id)
    await tx.saveTestingRequest(done)
    return done
  })
}

const confirmed = (world: World, request: TestingRequest, { id: ownerId }: Owner): TestingRequest =>
  moved(request, 'confirm', { now: world.clock.now(), ownerId })
