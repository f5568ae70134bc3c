import type { IdentityLinkError, IdentityLinkStatus } from '@guildhall/protocol'
import type { Instant } from '../instant.ts'

/** A link between an agent and a person's account at an identity provider, while it is being made and afterwards. */
export type IdentityLink = {
  readonly id: string
  readonly agentId: string
  readonly issuer: string
  readonly status: IdentityLinkStatus
  readonly error: IdentityLinkError | null
  /** Hashes of what only the person's browser holds: the state, the binding cookie, and the code from the provider. */
  readonly stateHash: string
  readonly bindingHash: string | null
  readonly codeHash: string | null
  readonly createdAt: Instant
  readonly expiresAt: Instant
  readonly endedAt: Instant | null
}

/** The person linked to an agent, as stored: the mail address is already masked. */
export type AgentIdentity = {
  readonly agentId: string
  readonly issuer: string
  readonly subject: string
  readonly email: string | null
  readonly emailVerified: boolean
  readonly displayName: string | null
  readonly linkedAt: Instant
}
