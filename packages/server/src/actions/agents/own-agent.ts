import type { Caller } from '../../domain/caller.ts'
import { refuse } from '../../domain/refusal.ts'
import type { World } from '../../ports/world.ts'
import { findAgent } from './find-agent.ts'

/** The id of the agent named by id or name, which must be the caller. */
export async function ownAgent(world: World, caller: Caller, idOrName: string, otherwise: string): Promise<string> {
  if (idOrName === caller.agent.id) return idOrName
  const { id } = await findAgent(world.store, idOrName)
  return id === caller.agent.id ? id : refuse('forbidden', {}, otherwise)
}
