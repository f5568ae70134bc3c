import type { OwnerCaller } from '../../domain/owner/owner.ts'
import { refuse } from '../../domain/refusal.ts'
import type { TestingRequest } from '../../domain/testing/request.ts'
import type { World } from '../../ports/world.ts'

/** A request of this owner, or one pending under their address; anybody else's counts as not found. */
export async function ownRequest(
  { store }: Pick<World, 'store'>,
  { owner }: Pick<OwnerCaller, 'owner'>,
  id: string,
): Promise<TestingRequest> {
  const request = await store.testingRequest(id)
  const isOwn = request?.ownerId === owner.id || (request?.status === 'unconfirmed' && request.email === owner.email)
  return request && isOwn
    ? request
    : refuse('not_found', { resource: 'testing request' }, 'You have no testing request with this id.')
}
