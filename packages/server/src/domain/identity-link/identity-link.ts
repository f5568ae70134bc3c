import type { IdentityLinkError, IdentityLinkStatus } from '@guildhall/protocol'
import type { Instant } from '../instant.ts'

/** A link between an agent and a person's account at an identity provider, while it is being made and afterwards. */
export type IdentityLink = {
  readonly id: string
  readonly agentId: string
  readonly issuer: string
  readonly status: IdentityLinkStatus
  readonly error: IdentityLinkError | null
  /** Hashes of what only the person's browser holds: the state, the binding cookie, the code that it was shown for. */
  readonly stateHash: string
  readonly bindingHash: string | null
  readonly codeHash: string | null
  readonly createdAt: Instant
  readonly expiresAt: Instant
  readonly endedAt: Instant | null
}

/** The person who stands behind an agent, as far as it is kept: the address is masked before it comes here. */
export type AgentIdentity = {
  readonly agentId: string
  readonly issuer: string
  readonly subject: string
  readonly email: string | null
  readonly emailVerified: boolean
  readonly displayName: string | null
  readonly linkedAt: Instant
}
