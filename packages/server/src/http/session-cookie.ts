import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import { limits, SESSION_COOKIE } from '@guildhall/protocol'

const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Lax'
const TOKEN = /^[A-Za-z0-9_-]{43}$/

/** Signs a browser in; the token is a session's secret. */
export const sessionCookie = (token: string): string =>
  `${SESSION_COOKIE}=${token}; Max-Age=${limits.owner.sessionMs / 1000}; ${ATTRIBUTES}`

/** Makes a browser forget its session. */
export const ENDED_COOKIE = `${SESSION_COOKIE}=; Max-Age=0; ${ATTRIBUTES}`

/** The session's secret in a Cookie header; null when there is none, or more than one. */
export function sessionTokenIn(header: string | undefined): string | null {
  const found = cookiesNamed(SESSION_COOKIE, header)
  const [token] = found
  return found.length === 1 && token !== undefined && TOKEN.test(token) ? token : null
}

/** Every value that a Cookie header has under a name. */
export function cookiesNamed(name: string, header: string | undefined): readonly string[] {
  const start = `${name}=`
  return (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(start))
    .map((pair) => pair.slice(start.length))
}

export const sessionHash = (token: string): string => hash('sha256', token)

/** Derived from the session's secret, which no other origin and no script can read. */
export const csrfTokenOf = (token: string): string =>
  createHmac('sha256', token).update('guildhall csrf').digest('base64url')

/** Compared in constant time. */
export function isCsrfToken(expected: string, sent: string | null | undefined): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(sent ?? '')]
  return one.length === other.length && timingSafeEqual(one, other)
}
