import type { Instant } from '../domain/instant.ts'
import type { AgentLink, OwnedAgent } from '../domain/owner/owned-agent.ts'

export type OwnerAgentReads = {
  /** The newest link first, at most so many. */
  ownedAgents(ownerId: string, limit: number): Promise<readonly OwnedAgent[]>
}

export type OwnerAgentWrites = {
  /** Takes the place of the owner's code before it; known by its sha256. */
  saveAgentCode(ownerId: string, hash: string, expiresAt: Instant): Promise<void>
  /** Removes the code and gives its owner's id: it can be used once. */
  takeAgentCode(hash: string, now: Instant): Promise<string | null>
  /** Links the agent unless it has an owner; gives the link that it has then. */
  linkAgent(agentId: string, ownerId: string, at: Instant): Promise<AgentLink>
  /** Ends the link of an agent, to this owner where one is named; false when there was none. */
  unlinkAgent(agentId: string, ownerId: string | null): Promise<boolean>
}
