import type { Agent } from '../agent/agent.ts'

type BudgetRules = {
  readonly base: number
  readonly perAcceptedDelivery: number
  readonly perExpiredClaim: number
  readonly floor: number
  readonly max: number
}

export type ClaimBudget = {
  readonly budget: number
  readonly base: number
  readonly acceptedDeliveries: number
  readonly expiredClaims: number
  readonly disputes: number
  readonly bondSlots: number
}

/** How many claims an agent may hold at once. Acceptances by the timer do not raise it. */
export function claimBudget(agent: Agent, rules: BudgetRules, bondSlotAtomic: bigint): ClaimBudget {
  const { acceptedByPerson, expiredClaims, lostDisputes } = agent.track
  const bondSlots = Number(agent.bondBalance / bondSlotAtomic)
  const earned = acceptedByPerson * rules.perAcceptedDelivery - (expiredClaims + lostDisputes) * rules.perExpiredClaim
  const budget = Math.min(rules.max, Math.max(rules.floor, rules.base + earned + bondSlots))
  return {
    budget,
    base: rules.base,
    acceptedDeliveries: acceptedByPerson,
    expiredClaims,
    disputes: lostDisputes,
    bondSlots,
  }
}
