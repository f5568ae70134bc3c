import type { AgentIdentity } from '../../domain/identity-link/identity-link.ts'
import { isoTime } from '../../domain/instant.ts'

/** Neither the subject nor the whole address is anybody's business. */
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
