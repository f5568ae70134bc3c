/** A Set-Cookie value; with the prefix `__Host-` in its name, a browser shows the cookie to this host only. */
export const hostCookie = (name: string, value: string, maxAgeSeconds: number): string =>
  `${name}=${value}; Max-Age=${maxAgeSeconds}; Path=/; Secure; HttpOnly; SameSite=Lax`

/** A Set-Cookie value that makes a browser forget a cookie. */
export const endedCookie = (name: string): string => hostCookie(name, '', 0)

const SECRET = /^[A-Za-z0-9_-]{43}$/

/** The secret that a Cookie header has under a name; null when it has none, or more than one value. */
export function secretIn(header: string | null | undefined, name: string): string | null {
  const start = `${name}=`
  const found = (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(start))
  const secret = found[0]?.slice(start.length) ?? ''
  return found.length === 1 && SECRET.test(secret) ? secret : null
}
