import type { OwnerCaller } from '../../domain/owner/owner.ts'
import { refuse } from '../../domain/refusal.ts'
import type { World } from '../../ports/world.ts'
import { ownerChange } from './owner-change.ts'

/** Ends one of the caller's sessions on the server, so that its cookie is worthless wherever it is. */
export async function endSession(world: World, caller: OwnerCaller, sessionId: string): Promise<void> {
  const ended = await ownerChange(world, caller, (tx) => tx.endSession(caller.owner.id, sessionId))
  if (!ended) refuse('not_found', { resource: 'session' }, 'You have no open session with this id.')
}

/** Signs out everywhere else; gives the number of sessions that ended. */
export const endOtherSessions = (world: World, caller: OwnerCaller): Promise<number> =>
  ownerChange(world, caller, (tx) => tx.endOtherSessions(caller.owner.id, caller.session.id))
