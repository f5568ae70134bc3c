import type { Instant } from '../instant.ts'

/** Sums of weights of reports and outcomes. All fade at the same rate, so one `asOf` holds for all of them. */
export type FadingSums = {
  readonly asOf: Instant
  readonly weight: number
  readonly passed: number
  readonly answered: number
  readonly coherence: number
  /** Weight of the reports that rated coherence. */
  readonly coherenceWeight: number
  readonly capability: number
  /** Weight of the reports that rated capabilities. */
  readonly capabilityWeight: number
  readonly flagged: number
  readonly accepted: number
  readonly failed: number
}

/** What peers and buyers reported about one agent: enough to compute its score without its history. */
export type Reputation = {
  readonly agentId: string
  /** How far the network trusts the agent; computed separately, in the background. */
  readonly trust: number
  readonly received: number
  readonly passed: number
  readonly given: number
  readonly safetyFlags: number
  readonly acceptedByPerson: number
  readonly acceptedByTimer: number
  readonly failed: number
  readonly sums: FadingSums
  readonly computedAt: Instant
}

export const newReputation = (agentId: string, now: Instant): Reputation => ({
  agentId,
  trust: 0,
  received: 0,
  passed: 0,
  given: 0,
  safetyFlags: 0,
  acceptedByPerson: 0,
  acceptedByTimer: 0,
  failed: 0,
  sums: {
    asOf: now,
    weight: 0,
    passed: 0,
    answered: 0,
    coherence: 0,
    coherenceWeight: 0,
    capability: 0,
    capabilityWeight: 0,
    flagged: 0,
    accepted: 0,
    failed: 0,
  },
  computedAt: now,
})
