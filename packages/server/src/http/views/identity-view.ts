import type { AgentIdentity } from '../../domain/identity-link/identity-link.ts'
import { isoTime } from '../../domain/instant.ts'

/** The subject and the full address stay private. */
export const identityView = (identity: AgentIdentity | null) =>
  identity === null
    ? null
    : {
        verified: true,
        issuer: identity.issuer,
        email: identity.email,
        email_verified: identity.emailVerified,
        display_name: identity.displayName,
        linked_at: isoTime(identity.linkedAt),
      }
