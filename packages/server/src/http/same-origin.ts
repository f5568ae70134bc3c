import type { IncomingHttpHeaders } from 'node:http'

/**
 * Whether a request may come from one of our own pages, or from no page at all. Pages that send no referrer say `null` of
 * their origin when they send a form; then the browser's own word on where it comes from has to be there.
 */
export function isSameOrigin(headers: IncomingHttpHeaders, ownOrigin: string): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false
  const { origin } = headers
  if (origin === undefined) return true
  if (origin === 'null') return site === 'same-origin'
  return origin === ownOrigin || origin === originOf(headers.host, ownOrigin)
}

/** The origin under which this very request reached us: a service may be known by several names. */
const originOf = (host: string | undefined, ownOrigin: string): string =>
  `${ownOrigin.slice(0, ownOrigin.indexOf(':'))}://${host ?? ''}`
