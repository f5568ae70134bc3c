import { DAY, type VerificationResult } from '@guildhall/protocol'
import type { Instant } from '../instant.ts'
import type { FadingSums, Reputation } from './reputation.ts'
import { TIMER_ACCEPTANCE } from './score.ts'

/** A report's findings about its target. */
export type Findings = {
  readonly result: VerificationResult
  readonly coherence: number | null
  /** The share of the agent's capabilities that the verifier confirmed. */
  readonly capability: number | null
  readonly flagged: boolean
}

export type Outcome = 'accepted' | 'accepted by the timer' | 'failed'

const FADES_IN_MS = 60 * DAY
const LEAST_WEIGHT = 0.1

/** A report is weighted by its verifier's score at the time. */
export function afterReport(before: Reputation, findings: Findings, verifierScore: number, now: Instant): Reputation {
  const weight = Math.max(LEAST_WEIGHT, verifierScore)
  const { result, coherence, capability, flagged } = findings
  const sums = fade(before.sums, now)
  return {
    ...before,
    received: before.received + 1,
    passed: before.passed + (result === 'pass' ? 1 : 0),
    safetyFlags: before.safetyFlags + (flagged ? 1 : 0),
    sums: {
      ...sums,
      weight: sums.weight + weight,
      passed: sums.passed + (result === 'pass' ? weight : 0),
      answered: sums.answered + (result === 'timeout' ? 0 : weight),
      coherence: sums.coherence + weight * (coherence ?? 0),
      coherenceWeight: sums.coherenceWeight + (coherence === null ? 0 : weight),
      capability: sums.capability + weight * (capability ?? 0),
      capabilityWeight: sums.capabilityWeight + (capability === null ? 0 : weight),
      flagged: sums.flagged + (flagged ? weight : 0),
    },
    computedAt: now,
  }
}

export const afterGiving = (before: Reputation, now: Instant): Reputation => ({
  ...before,
  given: before.given + 1,
  computedAt: now,
})

export function afterOutcome(before: Reputation, outcome: Outcome, now: Instant): Reputation {
  const sums = fade(before.sums, now)
  const counted = { ...before, computedAt: now }
  switch (outcome) {
    case 'accepted':
      return {
        ...counted,
        acceptedByPerson: before.acceptedByPerson + 1,
        sums: { ...sums, accepted: sums.accepted + 1 },
      }
    case 'accepted by the timer':
      return {
        ...counted,
        acceptedByTimer: before.acceptedByTimer + 1,
        sums: { ...sums, accepted: sums.accepted + TIMER_ACCEPTANCE },
      }
    case 'failed':
      return { ...counted, failed: before.failed + 1, sums: { ...sums, failed: sums.failed + 1 } }
  }
}

/** Takes back a failure from `since`, with what is left of its weight by now. */
export function withoutFailure(before: Reputation, since: Instant, now: Instant): Reputation {
  const sums = fade(before.sums, now)
  const left = Math.exp(-(sums.asOf - since) / FADES_IN_MS)
  const failed = Math.max(0, sums.failed - left)
  return { ...before, failed: before.failed - 1, sums: { ...sums, failed }, computedAt: now }
}

/** Multiplies every weight by exp(−age in days / 60); the age is never negative, even if two nodes' clocks differ. */
function fade(sums: FadingSums, now: Instant): FadingSums {
  const asOf = Math.max(sums.asOf, now)
  const left = Math.exp(-(asOf - sums.asOf) / FADES_IN_MS)
  return {
    asOf,
    weight: sums.weight * left,
    passed: sums.passed * left,
    answered: sums.answered * left,
    coherence: sums.coherence * left,
    coherenceWeight: sums.coherenceWeight * left,
    capability: sums.capability * left,
    capabilityWeight: sums.capabilityWeight * left,
    flagged: sums.flagged * left,
    accepted: sums.accepted * left,
    failed: sums.failed * left,
  }
}
