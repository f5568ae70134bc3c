import type { Instant } from '../domain/instant.ts'

/** Time is asked for here and nowhere else; SQL never says now(). */
export type Clock = { now(): Instant }
