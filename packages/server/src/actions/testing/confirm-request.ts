import type { Owner, OwnerCaller } from '../../domain/owner/owner.ts'
import { moved } from '../../domain/testing/lifecycle.ts'
import type { TestingRequest } from '../../domain/testing/request.ts'
import type { Transaction } from '../../ports/store.ts'
import type { World } from '../../ports/world.ts'
import { ownerChange } from '../owners/owner-change.ts'
import { ownRequest, refuseTooMany } from './request-test.ts'

/** What a mailed link confirms beside the sign-in. A request that cannot be confirmed any more is left alone. */
export async function confirmIntake(world: World, tx: Transaction, owner: Owner, id: string): Promise<string | null> {
  const request = await tx.lockTestingRequest(id)
  const inTime = (request?.confirmBy ?? 0) > world.clock.now()
  if (request?.status === 'unconfirmed' && request.email === owner.email && inTime)
    await tx.saveTestingRequest(confirmed(world, request, owner))
  return request?.email === owner.email ? `/console/testing/${id}` : null
}

/** Links end each other: what else waits under an address is confirmed by whoever is signed in with it. */
export async function confirmRequest(world: World, caller: OwnerCaller, id: string): Promise<TestingRequest> {
  await ownRequest(world, caller, id)
  return ownerChange(world, caller, async (tx) => {
    await refuseTooMany(tx, caller.owner.id)
    const request = (await tx.lockTestingRequest(id)) ?? (await ownRequest(world, caller, id))
    const done = confirmed(world, request, caller.owner)
    await tx.saveTestingRequest(done)
    return done
  })
}

const confirmed = (world: World, request: TestingRequest, { id: ownerId }: Owner): TestingRequest =>
  moved(request, 'confirm', { now: world.clock.now(), ownerId })
