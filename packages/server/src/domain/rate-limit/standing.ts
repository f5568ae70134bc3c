import type { RateLimit } from '@guildhall/protocol'
import type { Instant } from '../instant.ts'

/** The window of a limit that a moment falls in; all nodes agree on it. */
export function windowOf(
  { windowMs }: Pick<RateLimit, 'windowMs'>,
  now: Instant,
): { readonly start: Instant; readonly end: Instant } {
  const start = Math.floor(now / windowMs) * windowMs
  return { start, end: start + windowMs }
}

/** How a caller stands towards a limit after so many hits in the window. */
export type Standing = { readonly allowed: boolean; readonly remaining: number; readonly resetSeconds: number }

export const standingOf = (limit: RateLimit, hits: number, now: Instant): Standing => ({
  allowed: hits <= limit.points,
  remaining: Math.max(0, limit.points - hits),
  resetSeconds: Math.max(1, Math.ceil((windowOf(limit, now).end - now) / 1000)),
})
