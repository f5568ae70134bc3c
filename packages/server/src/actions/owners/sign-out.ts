import type { OwnerCaller } from '../../domain/owner/owner.ts'
import type { World } from '../../ports/world.ts'
import { ownerChange } from './owner-change.ts'

/** Ends the caller's own session. It may have ended since the request came, as by a second click: that is no less signed out. */
export async function signOut(world: World, caller: OwnerCaller): Promise<void> {
  await ownerChange(world, caller, (tx) => tx.endSession(caller.owner.id, caller.session.id))
}
