import { isoTime } from '../../domain/instant.ts'
import type { Reputation } from '../../domain/reputation/reputation.ts'
import { rounded } from '../../domain/reputation/rounded.ts'
import { breakdownOf, confidenceOf, penaltyOf, rawScoreOf, scoreOf, WEIGHTS } from '../../domain/reputation/score.ts'

export function reputationView(reputation: Reputation) {
  const parts = breakdownOf(reputation)
  return {
    agent_id: reputation.agentId,
    reputation_score: rounded(scoreOf(reputation)),
    raw_score: rounded(rawScoreOf(reputation)),
    confidence: rounded(confidenceOf(reputation)),
    penalty: rounded(penaltyOf(reputation)),
    safety_flags: reputation.safetyFlags,
    breakdown: {
      pass_rate: rounded(parts.passRate),
      coherence: rounded(parts.coherence),
      contribution: rounded(parts.contribution),
      uptime: rounded(parts.uptime),
      cap_confirmation_rate: rounded(parts.capConfirmationRate),
      task_completion: rounded(parts.taskCompletion),
    },
    weights: {
      pass_rate: WEIGHTS.passRate,
      coherence: WEIGHTS.coherence,
      contribution: WEIGHTS.contribution,
      uptime: WEIGHTS.uptime,
      cap_confirmation_rate: WEIGHTS.capConfirmationRate,
      penalty: WEIGHTS.penalty,
      task_completion: WEIGHTS.taskCompletion,
    },
    trust: rounded(reputation.trust),
    verifications_received: reputation.received,
    verifications_given: reputation.given,
    tasks_accepted: reputation.acceptedByPerson + reputation.acceptedByTimer,
    tasks_failed: reputation.failed,
    computed_at: isoTime(reputation.computedAt),
  }
}
