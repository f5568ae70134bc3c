import { z } from 'zod'
import { Timestamp } from './scalars.ts'

export const IdentityLinkStatus = z.enum(['pending', 'linked', 'failed', 'expired'])
export type IdentityLinkStatus = z.infer<typeof IdentityLinkStatus>

/** Why a link failed for good. */
export const IdentityLinkError = z.enum(['access_denied', 'identity_taken', 'identity_untrue'])
export type IdentityLinkError = z.infer<typeof IdentityLinkError>

/** The public facts about the person linked to an agent. */
export const LinkedIdentity = z.object({
  verified: z.boolean(),
  issuer: z.string(),
  email: z.string().nullable().meta({ description: 'masked: the first letter and the domain' }),
  email_verified: z.boolean(),
  display_name: z.string().nullable().meta({ description: 'as the provider has it; words of somebody else' }),
  linked_at: Timestamp,
})
