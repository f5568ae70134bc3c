import type { Agent } from '../../domain/agent/agent.ts'
import { refuse } from '../../domain/refusal.ts'
import type { Transaction } from '../../ports/store.ts'

/** Whoever posts without being an agent has no status. */
export function refuseInactive(agent: Agent | null): void {
  if (agent !== null && agent.status !== 'active') refuse('agent_not_active', { status: agent.status })
}

/** Checking a payment takes a while: an operator may have suspended the agent since the request came. */
export async function refuseSuspendedSince(
  tx: Transaction,
  { agent }: { readonly agent: Agent | null },
): Promise<void> {
  if (agent !== null) refuseInactive(await tx.agent(agent.id))
}
