import type { Caller } from '../../domain/caller.ts'
import { refuse } from '../../domain/refusal.ts'
import type { World } from '../../ports/world.ts'
import { agentIfAny } from './find-agent.ts'

/** The id of the agent named by id or name, which must be the caller: whoever else is named, even nobody, it is not theirs. */
export async function ownAgent(world: World, caller: Caller, idOrName: string, otherwise: string): Promise<string> {
  if (idOrName === caller.agent.id) return idOrName
  const named = await agentIfAny(world.store, idOrName)
  return named?.id === caller.agent.id ? named.id : refuse('forbidden', {}, otherwise)
}
