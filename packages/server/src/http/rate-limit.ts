import type { RateLimit } from '@guildhall/protocol'
import type { Instant } from '../domain/instant.ts'
import { networkOf } from './client-ip.ts'

/** Counts one more hit in the window and gives the new count; all nodes share the counters. */
export type Hit = (key: string, windowStart: Instant, expiresAt: Instant) => Promise<number>

export type Standing = { readonly allowed: boolean; readonly headers: readonly string[] }

/** Counts a request against its limit. The headers follow the IETF draft "RateLimit header fields for HTTP". */
export async function countRequest(hit: Hit, limit: RateLimit, ip: string, now: Instant): Promise<Standing> {
  const windowStart = Math.floor(now / limit.windowMs) * limit.windowMs
  const windowEnd = windowStart + limit.windowMs
  const count = await hit(`${limit.name}:${networkOf(ip)}`, windowStart, windowEnd)
  const allowed = count <= limit.points
  const remaining = Math.max(0, limit.points - count)
  const seconds = Math.max(1, Math.ceil((windowEnd - now) / 1000))
  const headers = [
    'RateLimit-Policy',
    `"${limit.name}";q=${limit.points};w=${limit.windowMs / 1000}`,
    'RateLimit',
    `"${limit.name}";r=${remaining};t=${seconds}`,
  ]
  return { allowed, headers: allowed ? headers : [...headers, 'Retry-After', String(seconds)] }
}
