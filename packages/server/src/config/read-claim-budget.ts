import { limits } from '@guildhall/protocol'
import type { Rules } from '../ports/rules.ts'

type ReadInteger = (name: string, fallback: number, min: number, max: number) => number

const MOST = 1_000_000

/** How many claims an agent may hold at once, and what raises and lowers that. */
export function readClaimBudget(integer: ReadInteger): Rules['claimBudget'] {
  const { base, perAcceptedDelivery, perExpiredClaim, floor, max } = limits.claimBudget
  const most = integer('GUILDHALL_CLAIM_BUDGET_MAX', max, 1, MOST)
  return {
    base: integer('GUILDHALL_CLAIM_BUDGET_BASE', Math.min(base, most), 0, most),
    perAcceptedDelivery: integer('GUILDHALL_CLAIM_BUDGET_PER_ACCEPTED', perAcceptedDelivery, 0, MOST),
    perExpiredClaim: integer('GUILDHALL_CLAIM_BUDGET_PER_EXPIRED', perExpiredClaim, 0, MOST),
    floor: integer('GUILDHALL_CLAIM_BUDGET_FLOOR', Math.min(floor, most), 0, most),
    max: most,
  }
}
