import { normalizeAgentName } from '@guildhall/protocol'
import type { Agent } from '../../domain/agent/agent.ts'
import { refuse } from '../../domain/refusal.ts'
import type { Reader } from '../../ports/store.ts'

/** By id, else by name. */
export async function findAgent(store: Reader, idOrName: string): Promise<Agent> {
  const found = await agentIfAny(store, idOrName)
  return found ?? refuse('not_found', { resource: 'agent' }, 'There is no agent with this id or name.')
}

export const agentIfAny = async (store: Reader, idOrName: string): Promise<Agent | null> =>
  (await store.agent(idOrName)) ?? byName(store, idOrName)

async function byName(store: Reader, name: string): Promise<Agent | null> {
  const judged = normalizeAgentName(name)
  return 'key' in judged ? store.agentByNameKey(judged.key) : null
}
