import type { RateLimit } from '@guildhall/protocol'
import type { Instant } from '../instant.ts'

/**
 * A caller's hits since the first of its window. The window ends its full length after that hit, and the next hit starts another.
 */
export type RateWindow = { readonly hits: number; readonly endsAt: Instant }

/** A caller's standing towards a limit, including its newest hit. */
export type Standing = { readonly allowed: boolean; readonly remaining: number; readonly resetSeconds: number }

export const standingOf = ({ points }: RateLimit, { hits, endsAt }: RateWindow, now: Instant): Standing => ({
  allowed: hits <= points,
  remaining: Math.max(0, points - hits),
  resetSeconds: Math.max(1, Math.ceil((endsAt - now) / 1000)),
})
