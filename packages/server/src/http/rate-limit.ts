import type { RateLimit } from '@guildhall/protocol'
import type { Instant } from '../domain/instant.ts'
import { type RateWindow, type Standing, standingOf } from '../domain/rate-limit/standing.ts'
import { networkOf } from './client-ip.ts'

/** Counts one more hit in the key's window, or begins one of this length; all nodes share the windows. */
export type Hit = (key: string, now: Instant, windowMs: number) => Promise<RateWindow>

/** Counts a request against the limit of the network that it came from. */
export async function countRequest(hit: Hit, limit: RateLimit, ip: string, now: Instant): Promise<Standing> {
  return standingOf(limit, await hit(`${limit.name}:${networkOf(ip)}`, now, limit.windowMs), now)
}

/** As the IETF draft "RateLimit header fields for HTTP" writes them. */
export const rateLimitHeaders = (
  limit: RateLimit,
  { remaining, resetSeconds }: Standing,
): Readonly<Record<string, string>> => ({
  'RateLimit-Policy': `"${limit.name}";q=${limit.points};w=${limit.windowMs / 1000}`,
  RateLimit: `"${limit.name}";r=${remaining};t=${resetSeconds}`,
})
