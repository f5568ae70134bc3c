import type { Instant } from '../domain/instant.ts'

/** The only source of time for rules and actions; SQL never uses now(). */
export type Clock = { now(): Instant }
