import { limits } from '@guildhall/protocol'
import type { Agent } from '../agent/agent.ts'
import type { Instant } from '../instant.ts'
import { type Refusal, refusal } from '../refusal.ts'
import type { Reputation } from '../reputation/reputation.ts'
import { scoreOf } from '../reputation/score.ts'

const { guardedFrom, minAgeMs, minScore } = limits.verification

type Verifier = {
  readonly agent: Agent
  readonly reputation: Reputation
  /** Agents other than the house, of any status. */
  readonly agents: number
  readonly now: Instant
}

/**
 * Why an agent may not verify others, or null. In a small registry every agent that is not suspended may; the house always may.
 */
export function whyNotVerify({ agent, reputation, agents, now }: Verifier): Refusal | null {
  const isGuarded = agents >= guardedFrom && !agent.house
  if (agent.status === 'suspended' || (isGuarded && agent.status !== 'active')) {
    return refusal('agent_not_active', { status: agent.status }, 'The agent is not active, so it cannot verify others.')
  }
  if (!isGuarded) return null
  if (now - agent.registeredAt < minAgeMs) {
    return refusal('verifier_ineligible', { reason: 'too_new' }, 'A verifier is registered for at least 24 hours.')
  }
  if (reputation.passed === 0) {
    return refusal('verifier_ineligible', { reason: 'not_verified' }, 'A verifier has passed a verification itself.')
  }
  if (scoreOf(reputation) < minScore) {
    const message = `A verifier has a reputation score of at least ${minScore}.`
    return refusal('verifier_ineligible', { reason: 'score_too_low' }, message)
  }
  return null
}
