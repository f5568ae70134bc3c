import type { IncomingHttpHeaders } from 'node:http'
import { CSRF_HEADER, SESSION_COOKIE } from '@guildhall/protocol'
import type { Instant } from '../domain/instant.ts'
import type { Owner, OwnerCaller, OwnerSession } from '../domain/owner/owner.ts'
import { refuse } from '../domain/refusal.ts'
import { headerText } from './header-text.ts'
import { isSameOrigin } from './same-origin.ts'
import { csrfTokenOf, isCsrfToken, sessionHash, sessionTokenIn } from './session-cookie.ts'

/** Finds an unexpired session by the hash of its secret. */
export type FindSession = (
  hash: string,
  now: Instant,
) => Promise<{ readonly owner: Owner; readonly session: OwnerSession } | null>

/** The owner signed in in the browser that sent the request; null when nobody is. */
export async function signedIn(
  findSession: FindSession,
  headers: IncomingHttpHeaders,
  now: Instant,
): Promise<OwnerCaller | null> {
  const token = sessionTokenIn(headers.cookie)
  const found = token === null ? null : await findSession(sessionHash(token), now)
  return token === null || found === null ? null : { ...found, csrfToken: csrfTokenOf(token) }
}

/** The owner who calls an endpoint. A change must prove that it comes from our own pages. */
export async function authenticateOwner(
  findSession: FindSession,
  request: { readonly method: string; readonly headers: IncomingHttpHeaders },
  ownOrigin: string,
  now: Instant,
): Promise<OwnerCaller> {
  const { method, headers } = request
  const caller = (await signedIn(findSession, headers, now)) ?? refuse('auth_required', {}, SIGN_IN_FIRST)
  if (method === 'GET' || method === 'HEAD') return caller
  if (!isSameOrigin(headers, ownOrigin)) refuse('csrf_failed')
  if (!isCsrfToken(caller.csrfToken, headerText(headers[CSRF_HEADER.toLowerCase()]))) refuse('csrf_failed')
  return caller
}

const SIGN_IN_FIRST = `Nobody is signed in: send POST /v1/owner/sign-in {email}, open the link that is mailed and confirm it; the cookie ${SESSION_COOKIE} is the session.`
