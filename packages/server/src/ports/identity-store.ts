import type { AgentIdentity, IdentityLink } from '../domain/identity-link/identity-link.ts'

export type IdentityReads = {
  identityLink(id: string): Promise<IdentityLink | null>
  identityLinkOfState(stateHash: string): Promise<IdentityLink | null>
  /** By agent; agents without an identity are left out. */
  identitiesOf(agentIds: readonly string[]): Promise<ReadonlyMap<string, AgentIdentity>>
}

export type IdentityWrites = {
  insertIdentityLink(link: IdentityLink): Promise<void>
  lockIdentityLink(id: string): Promise<IdentityLink | null>
  /** Writes how the link ended. */
  endIdentityLink(link: IdentityLink): Promise<void>
  /** Binds the link to a browser and a code. False when it is no longer pending, or is bound to another browser. */
  bindIdentityLink(id: string, bindingHash: string, codeHash: string | null): Promise<boolean>
  /** Marks the code as used. False when it is not the bound one, or was used before. */
  takeIdentityCode(id: string, bindingHash: string, codeHash: string): Promise<boolean>
  /** Replaces the agent's earlier identity. False when the person is linked to another agent. */
  saveIdentity(identity: AgentIdentity): Promise<boolean>
  /** False when there was none. */
  removeIdentity(agentId: string): Promise<boolean>
}
