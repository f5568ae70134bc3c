import type { World } from '../../ports/world.ts'
import type { Poster } from '../poster.ts'

/** The house agent as the poster of its own tasks: the service itself acts for it, so there is no signature to burn. */
export async function houseAsPoster({ store }: Pick<World, 'store'>): Promise<Poster> {
  const id = await store.houseAgentId()
  const agent = id === null ? null : await store.agent(id)
  if (agent === null) throw new Error('the registry has no house agent')
  return { kind: 'agent', id: agent.id, agent, signature: null, burn: async () => {} }
}
