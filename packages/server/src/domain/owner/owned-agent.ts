import type { Agent } from '../agent/agent.ts'
import type { Instant } from '../instant.ts'

/** An agent, and when it was linked to its owner. */
export type OwnedAgent = { readonly agent: Agent; readonly linkedAt: Instant }

export type AgentLink = { readonly ownerId: string; readonly linkedAt: Instant }
