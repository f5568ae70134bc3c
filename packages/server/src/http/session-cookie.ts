import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import { limits, SECOND, SESSION_COOKIE } from '@guildhall/protocol'
import { endedCookie, hostCookie, secretIn } from './host-cookie.ts'

/** Signs a browser in; the token is a session's secret. */
export const sessionCookie = (token: string): string =>
  hostCookie(SESSION_COOKIE, token, limits.owner.sessionMs / SECOND)

/** Makes a browser forget its session. */
export const ENDED_COOKIE = endedCookie(SESSION_COOKIE)

/** The session's secret in a Cookie header. */
export const sessionTokenIn = (header: string | undefined): string | null => secretIn(header, SESSION_COOKIE)

export const sessionHash = (token: string): string => hash('sha256', token)

/** Derived from the session's secret, which no other origin and no script can read. */
export const csrfTokenOf = (token: string): string =>
  createHmac('sha256', token).update('guildhall csrf').digest('base64url')

/** Compared in constant time. */
export function isCsrfToken(expected: string, sent: string | null | undefined): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(sent ?? '')]
  return one.length === other.length && timingSafeEqual(one, other)
}
