import type { Instant } from '../domain/instant.ts'
import type { AgentLink, OwnedAgent } from '../domain/owner/owned-agent.ts'

export type OwnerAgentReads = {
  /** The newest link first. */
  ownedAgents(ownerId: string, limit: number): Promise<readonly OwnedAgent[]>
}

export type OwnerAgentWrites = {
  /** Replaces the owner's earlier code. Only its sha256 is stored. */
  saveAgentCode(ownerId: string, hash: string, expiresAt: Instant): Promise<void>
  /** Deletes the code, so that it can be used only once, and returns its owner's id. */
  takeAgentCode(hash: string, now: Instant): Promise<string | null>
  /** Links the agent unless it has an owner; returns the link that then exists. */
  linkAgent(agentId: string, ownerId: string, at: Instant): Promise<AgentLink>
  /** Ends the agent's link to this owner, or with null to any owner; false when there was none. */
  unlinkAgent(agentId: string, ownerId: string | null): Promise<boolean>
}
