import type { Caller } from '../../domain/caller.ts'
import type { World } from '../../ports/world.ts'
import { signedChange } from '../signed-change.ts'

/** False when the agent was not linked to anybody. */
export const unlinkIdentity = (world: World, caller: Caller): Promise<boolean> =>
  signedChange(world, caller, (tx) => tx.removeIdentity(caller.agent.id))
