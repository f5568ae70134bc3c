import type { AgentIdentity, IdentityLink } from '../domain/identity-link/identity-link.ts'

export type IdentityReads = {
  identityLink(id: string): Promise<IdentityLink | null>
  identityLinkOfState(stateHash: string): Promise<IdentityLink | null>
  /** The identities of those of these agents that have one. */
  identitiesOf(agentIds: readonly string[]): Promise<ReadonlyMap<string, AgentIdentity>>
}

export type IdentityWrites = {
  insertIdentityLink(link: IdentityLink): Promise<void>
  lockIdentityLink(id: string): Promise<IdentityLink | null>
  /** Writes what may change of a link: its end. */
  endIdentityLink(link: IdentityLink): Promise<void>
  /** Remembers for which browser and code consent is asked. False when the link waits no more, or belongs to another browser. */
  bindIdentityLink(id: string, bindingHash: string, codeHash: string | null): Promise<boolean>
  /** A code is used once. False when it is not the one for which consent was asked, or was used before. */
  takeIdentityCode(id: string, bindingHash: string, codeHash: string): Promise<boolean>
  /** Replaces the agent's earlier identity. False when the person is linked to another agent. */
  saveIdentity(identity: AgentIdentity): Promise<boolean>
  /** False when there was none. */
  removeIdentity(agentId: string): Promise<boolean>
}
