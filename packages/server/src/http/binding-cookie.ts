import { SECOND } from '@guildhall/protocol'
import type { IdentityLink } from '../domain/identity-link/identity-link.ts'
import type { Instant } from '../domain/instant.ts'
import { endedCookie, hostCookie, secretIn } from './host-cookie.ts'

/** One cookie per link, so that several links can be pending at once. */
const nameFor = (linkId: string): string => `__Host-agentid-${linkId}`

/** Binds a link to the browser that receives it, until the link expires. */
export const bindingCookie = ({ id, expiresAt }: IdentityLink, secret: string, now: Instant): string =>
  hostCookie(nameFor(id), secret, Math.max(1, Math.ceil((expiresAt - now) / SECOND)))

export const noBindingCookie = (linkId: string): string => endedCookie(nameFor(linkId))

/** The secret that a browser was given for a link; null when it has none. */
export const bindingIn = (header: string | null, linkId: string): string | null => secretIn(header, nameFor(linkId))
