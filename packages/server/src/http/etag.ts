import { hash } from 'node:crypto'

/** A strong validator: the same bytes have the same tag on every node. */
export const etagOf = (body: string | Uint8Array): string => `"${hash('sha256', body, 'base64url')}"`

/** Whether If-None-Match names the tag; tags compare weakly there (RFC 9110, section 13.1.2). */
export function matchesEtag(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true
  return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
}
