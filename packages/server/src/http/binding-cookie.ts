import { SECOND } from '@guildhall/protocol'
import type { IdentityLink } from '../domain/identity-link/identity-link.ts'
import type { Instant } from '../domain/instant.ts'
import { cookiesNamed } from './session-cookie.ts'

const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Lax'
const SECRET = /^[A-Za-z0-9_-]{43}$/

/** One cookie per link, so that several links can be pending at once. */
const nameFor = (linkId: string): string => `__Host-agentid-${linkId}`

/** Binds a link to the browser that receives it, until the link expires. */
export const bindingCookie = ({ id, expiresAt }: IdentityLink, secret: string, now: Instant): string =>
  `${nameFor(id)}=${secret}; Max-Age=${Math.max(1, Math.ceil((expiresAt - now) / SECOND))}; ${ATTRIBUTES}`

export const noBindingCookie = (linkId: string): string => `${nameFor(linkId)}=; Max-Age=0; ${ATTRIBUTES}`

/** The secret that a browser was given for a link; null when it has none. */
export function bindingIn(header: string | null, linkId: string): string | null {
  const [secret, ...more] = cookiesNamed(nameFor(linkId), header ?? undefined)
  return secret !== undefined && more.length === 0 && SECRET.test(secret) ? secret : null
}
