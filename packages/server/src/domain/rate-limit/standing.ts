import type { RateLimit } from '@guildhall/protocol'
import type { Instant } from '../instant.ts'

/** What has been counted for one caller since its first hit. The window ends its full length after that hit, and the next hit begins another. */
export type RateWindow = { readonly hits: number; readonly endsAt: Instant }

/** How a caller stands towards a limit, with its newest hit counted. */
export type Standing = { readonly allowed: boolean; readonly remaining: number; readonly resetSeconds: number }

export const standingOf = ({ points }: RateLimit, { hits, endsAt }: RateWindow, now: Instant): Standing => ({
  allowed: hits <= points,
  remaining: Math.max(0, points - hits),
  resetSeconds: Math.max(1, Math.ceil((endsAt - now) / 1000)),
})
