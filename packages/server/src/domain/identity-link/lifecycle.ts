import type { IdentityLinkError, IdentityLinkStatus } from '@guildhall/protocol'
import type { Instant } from '../instant.ts'
import type { IdentityLink } from './identity-link.ts'

/** What ends a pending link: the person's consent or refusal, the provider's answer, or time. */
export type IdentityLinkTrigger = 'consent' | IdentityLinkError | 'expires'

/** Section 3.4 of the specification; a trigger that a state does not name changes nothing there. docs/states.md is printed from it. */
export const identityLinkLifecycle: Readonly<
  Record<IdentityLinkStatus, Readonly<Partial<Record<IdentityLinkTrigger, IdentityLinkStatus>>>>
> = {
  pending: {
    consent: 'linked',
    access_denied: 'failed',
    identity_taken: 'failed',
    identity_untrue: 'failed',
    expires: 'expired',
  },
  linked: {},
  failed: {},
  expired: {},
}

/** The link with its expiry applied: expiry is never stored. */
export function asDue(link: IdentityLink, now: Instant): IdentityLink {
  return now >= link.expiresAt ? (linkAfter(link, 'expires', link.expiresAt) ?? link) : link
}

/** The link after a trigger; null when the state does not know the trigger. */
export function linkAfter(link: IdentityLink, trigger: IdentityLinkTrigger, at: Instant): IdentityLink | null {
  const status = identityLinkLifecycle[link.status][trigger]
  if (status === undefined) return null
  const error = trigger === 'consent' || trigger === 'expires' ? null : trigger
  return { ...link, status, error, endedAt: at }
}
