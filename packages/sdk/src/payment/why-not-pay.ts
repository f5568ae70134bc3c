import { type PaymentRequirements, parseAtomic, parseUsdc } from '@guildhall/protocol'
import type { PaymentNotMadeReason } from '../local-errors.ts'

export type PaymentRules = {
  readonly maxUsdc: string | undefined
  readonly contracts: Readonly<Record<string, string>>
  /** The bounty that the caller offered with this request, if any. */
  readonly bounty: Bounty | null
}

export type Bounty = { readonly amount: string; readonly network: string }

/** Why a payment must not be signed, or null when the caller has allowed it. */
export function whyNotPay(asked: PaymentRequirements, rules: PaymentRules): PaymentNotMadeReason | null {
  if (rules.maxUsdc === undefined) return 'no_limit'
  const contract = rules.contracts[asked.network]
  if (contract === undefined) return 'unknown_network'
  if (contract.toLowerCase() !== asked.asset.toLowerCase()) return 'unknown_asset'
  if (rules.bounty && (rules.bounty.amount !== asked.amount || rules.bounty.network !== asked.network)) {
    return 'differs_from_bounty'
  }
  const amount = parseAtomic(asked.amount)
  return amount !== null && amount <= limitOf(rules.maxUsdc) ? null : 'over_limit'
}

function limitOf(maxUsdc: string): bigint {
  const limit = parseUsdc(maxUsdc)
  if (limit === null) throw new TypeError(`maxUsdc is an amount such as 5 or 2.50, not ${JSON.stringify(maxUsdc)}`)
  return limit
}

/** The bounty in the body of a request, when there is one. */
export function bountyOf(body: unknown): Bounty | null {
  const bounty = isRecord(body) ? body.bounty : null
  if (!isRecord(bounty) || typeof bounty.amount !== 'string' || typeof bounty.network !== 'string') return null
  return { amount: bounty.amount, network: bounty.network }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
