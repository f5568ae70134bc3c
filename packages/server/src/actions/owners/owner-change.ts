import type { OwnerCaller } from '../../domain/owner/owner.ts'
import type { Transaction } from '../../ports/store.ts'
import type { World } from '../../ports/world.ts'
import { useKey } from '../hold-key.ts'
import { changeOf } from '../signed-change.ts'

/** One transaction in which the Idempotency-Key of an owner's request is used up with the change. */
export const ownerChange = <T>(world: World, caller: OwnerCaller, work: (tx: Transaction) => Promise<T>): Promise<T> =>
  changeOf(world, async (tx) => {
    await useKey(tx, caller.held)
    return work(tx)
  })
