import type { RateLimit } from '@guildhall/protocol'
import type { Instant } from '../domain/instant.ts'
import { type Standing, standingOf, windowOf } from '../domain/rate-limit/standing.ts'
import { networkOf } from './client-ip.ts'

/** Counts one more hit in the window and gives the new count; all nodes share the counters. */
export type Hit = (key: string, windowStart: Instant, expiresAt: Instant) => Promise<number>

/** Counts a request against the limit of the network that it came from. */
export async function countRequest(hit: Hit, limit: RateLimit, ip: string, now: Instant): Promise<Standing> {
  const { start, end } = windowOf(limit, now)
  return standingOf(limit, await hit(`${limit.name}:${networkOf(ip)}`, start, end), now)
}

/** As the IETF draft "RateLimit header fields for HTTP" writes them. */
export const rateLimitHeaders = (
  limit: RateLimit,
  { remaining, resetSeconds }: Standing,
): Readonly<Record<string, string>> => ({
  'RateLimit-Policy': `"${limit.name}";q=${limit.points};w=${limit.windowMs / 1000}`,
  RateLimit: `"${limit.name}";r=${remaining};t=${resetSeconds}`,
})
