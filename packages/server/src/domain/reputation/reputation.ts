import type { Instant } from '../instant.ts'

/** Weights of reports and outcomes, added up. All of them fade alike, so they hold as of one moment. */
export type FadingSums = {
  readonly asOf: Instant
  readonly weight: number
  readonly passed: number
  readonly answered: number
  readonly coherence: number
  /** Of the reports that said something about coherence. */
  readonly coherenceWeight: number
  readonly capability: number
  /** Of the reports that said something about capabilities. */
  readonly capabilityWeight: number
  readonly flagged: number
  readonly accepted: number
  readonly failed: number
}

/** What peers and buyers made known of one agent: enough to compute its score, whatever its history is. */
export type Reputation = {
  readonly agentId: string
  /** How far the network trusts the agent; computed apart from everything else, in the background. */
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
