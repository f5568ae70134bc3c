import type { IncomingHttpHeaders } from 'node:http'

/**
 * Whether a request may come from one of our own pages, or from no page at all. A page without a referrer sends its form with the
 * origin `null`; then Sec-Fetch-Site must be there.
 */
export function isSameOrigin(headers: IncomingHttpHeaders, ownOrigin: string): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false
  const { origin } = headers
  if (origin === undefined) return true
  if (origin === 'null') return site === 'same-origin'
  return origin === ownOrigin || origin === originOf(headers.host, ownOrigin)
}

/** The origin of this request by its Host header: a service may have several names. */
const originOf = (host: string | undefined, ownOrigin: string): string =>
  `${ownOrigin.slice(0, ownOrigin.indexOf(':'))}://${host ?? ''}`
