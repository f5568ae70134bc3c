import { limitFor, type RateLimit } from '@guildhall/protocol'
import type { Instant } from '../domain/instant.ts'
import { type RateWindow, type Standing, standingOf } from '../domain/rate-limit/standing.ts'
import { networkOf } from './client-ip.ts'

/** Counts a hit in the key's window, or starts a new window of this length; all nodes share the windows. */
export type Hit = (key: string, now: Instant, windowMs: number) => Promise<RateWindow>

/** Counts a request against the limit of the network that it came from. */
export async function countRequest(hit: Hit, limit: RateLimit, ip: string, now: Instant): Promise<Standing> {
  return standingOf(limit, await hit(`${limit.name}:${networkOf(ip)}`, now, limit.windowMs), now)
}

/** The newest window of a key, which may have ended. */
export type ReadWindow = (key: string) => Promise<RateWindow | null>

/** The caller's standing towards its own limit, without counting a hit. */
export async function readStanding(
  windowOf: ReadWindow,
  limit: RateLimit,
  who: string,
  now: Instant,
): Promise<Standing> {
  const newest = await windowOf(`${limit.name}:${who}`)
  const goesOn = newest !== null && now < newest.endsAt
  return standingOf(limit, goesOn ? newest : { hits: 0, endsAt: now + limit.windowMs }, now)
}

/** All limits of an endpoint, as the IETF draft "RateLimit header fields for HTTP" writes them. */
export const policyText = (limits: readonly RateLimit[], signed = true): string =>
  limits
    .map((limit) => limitFor(limit, signed))
    .map(({ name, points, windowMs }) => `"${name}";q=${points};w=${windowMs / 1000}`)
    .join(', ')

export const standingHeader = (
  limit: RateLimit,
  { remaining, resetSeconds }: Standing,
): Readonly<Record<'RateLimit', string>> => ({ RateLimit: `"${limit.name}";r=${remaining};t=${resetSeconds}` })
