import { isoTime } from '../domain/instant.ts'
import type { Reputation } from '../domain/reputation/reputation.ts'
import { localScoreOf, scoreOf } from '../domain/reputation/score.ts'
import { table } from './table.ts'

export type ReputationRow = {
  readonly agent_id: string
  readonly trust: number
  readonly local_score: number
  readonly score: number
  readonly received: number
  readonly passed: number
  readonly given: number
  readonly safety_flags: number
  readonly accepted_by_person: number
  readonly accepted_by_timer: number
  readonly failed: number
  readonly sums_as_of: number
  readonly sum_weight: number
  readonly sum_passed: number
  readonly sum_answered: number
  readonly sum_coherence: number
  readonly sum_coherence_weight: number
  readonly sum_capability: number
  readonly sum_capability_weight: number
  readonly sum_flagged: number
  readonly sum_accepted: number
  readonly sum_failed: number
  readonly computed_at: number
}

export const reputationTable = table<ReputationRow, Reputation>(
  'reputations',
  {
    agent_id: ({ agentId }) => agentId,
    trust: ({ trust }) => trust,
    local_score: localScoreOf,
    score: scoreOf,
    received: ({ received }) => received,
    passed: ({ passed }) => passed,
    given: ({ given }) => given,
    safety_flags: ({ safetyFlags }) => safetyFlags,
    accepted_by_person: ({ acceptedByPerson }) => acceptedByPerson,
    accepted_by_timer: ({ acceptedByTimer }) => acceptedByTimer,
    failed: ({ failed }) => failed,
    sums_as_of: ({ sums }) => isoTime(sums.asOf),
    sum_weight: ({ sums }) => sums.weight,
    sum_passed: ({ sums }) => sums.passed,
    sum_answered: ({ sums }) => sums.answered,
    sum_coherence: ({ sums }) => sums.coherence,
    sum_coherence_weight: ({ sums }) => sums.coherenceWeight,
    sum_capability: ({ sums }) => sums.capability,
    sum_capability_weight: ({ sums }) => sums.capabilityWeight,
    sum_flagged: ({ sums }) => sums.flagged,
    sum_accepted: ({ sums }) => sums.accepted,
    sum_failed: ({ sums }) => sums.failed,
    computed_at: ({ computedAt }) => isoTime(computedAt),
  },
  (row) => ({
    agentId: row.agent_id,
    trust: row.trust,
    received: row.received,
    passed: row.passed,
    given: row.given,
    safetyFlags: row.safety_flags,
    acceptedByPerson: row.accepted_by_person,
    acceptedByTimer: row.accepted_by_timer,
    failed: row.failed,
    sums: {
      asOf: row.sums_as_of,
      weight: row.sum_weight,
      passed: row.sum_passed,
      answered: row.sum_answered,
      coherence: row.sum_coherence,
      coherenceWeight: row.sum_coherence_weight,
      capability: row.sum_capability,
      capabilityWeight: row.sum_capability_weight,
      flagged: row.sum_flagged,
      accepted: row.sum_accepted,
      failed: row.sum_failed,
    },
    computedAt: row.computed_at,
  }),
)
