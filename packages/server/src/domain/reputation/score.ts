import type { Reputation } from './reputation.ts'

/** Decisions 3: the weight of each part in the raw score; task_completion is added to the score itself. */
export const WEIGHTS = {
  passRate: 0.35,
  coherence: 0.2,
  contribution: 0.15,
  uptime: 0.15,
  capConfirmationRate: 0.15,
  penalty: -0.2,
  taskCompletion: 0.15,
} as const

export const TRUST_WEIGHT = 0.7
const REPORTS_WEIGHT = 0.3

export type Breakdown = {
  readonly passRate: number
  readonly coherence: number
  readonly contribution: number
  readonly uptime: number
  readonly capConfirmationRate: number
  readonly taskCompletion: number
}

export function breakdownOf(reputation: Reputation): Breakdown {
  const { sums, given } = reputation
  return {
    passRate: share(sums.passed, sums.weight),
    coherence: share(sums.coherence, sums.coherenceWeight),
    contribution: Math.min(1, Math.log10(given + 1) / Math.log10(51)),
    uptime: share(sums.answered, sums.weight),
    capConfirmationRate: share(sums.capability, sums.capabilityWeight),
    taskCompletion: taskCompletion(reputation),
  }
}

/** The share of reports, by weight, that raised a safety flag. */
export const penaltyOf = ({ sums }: Reputation): number => share(sums.flagged, sums.weight)

export function rawScoreOf(reputation: Reputation): number {
  const { passRate, coherence, contribution, uptime, capConfirmationRate } = breakdownOf(reputation)
  return clamp(
    WEIGHTS.passRate * passRate +
      WEIGHTS.coherence * coherence +
      WEIGHTS.contribution * contribution +
      WEIGHTS.uptime * uptime +
      WEIGHTS.capConfirmationRate * capConfirmationRate +
      WEIGHTS.penalty * penaltyOf(reputation),
  )
}

export const confidenceOf = ({ received }: Reputation): number => Math.min(1, Math.log(1 + received) / Math.log(21))

/** The part of the score that comes from the agent's own reports and outcomes: it changes only with them. */
export const localScoreOf = (reputation: Reputation): number =>
  REPORTS_WEIGHT * rawScoreOf(reputation) * confidenceOf(reputation) +
  WEIGHTS.taskCompletion * taskCompletion(reputation)

export const scoreOf = (reputation: Reputation): number =>
  clamp(TRUST_WEIGHT * reputation.trust + localScoreOf(reputation))

/** A task accepted by the timer counts half: nobody reviewed it. */
export const TIMER_ACCEPTANCE = 0.5

function taskCompletion({ sums, acceptedByPerson, acceptedByTimer, failed }: Reputation): number {
  const tasks = acceptedByPerson + TIMER_ACCEPTANCE * acceptedByTimer + failed
  return share(sums.accepted, sums.accepted + sums.failed) * Math.min(1, Math.log(1 + tasks) / Math.log(11))
}

const share = (part: number, whole: number): number => (whole > 0 ? clamp(part / whole) : 0)

const clamp = (value: number): number => Math.min(1, Math.max(0, value))
