import { type EndpointName, limits, type PaymentRequirements, parseAtomic, parseUsdc } from '@guildhall/protocol'
import type { PaymentNotMadeReason } from '../local-errors.ts'

export type PaymentRules = {
  readonly maxUsdc: string | undefined
  readonly contracts: Readonly<Record<string, string>>
  /** The bounty that the caller offered with this request, if any. */
  readonly bounty: Bounty | null
}

/** A part that the caller left to the service is null. */
type Bounty = { readonly amount: string | null; readonly network: string | null }

/** Why a payment must not be signed, or null when the caller has allowed it. */
export function whyNotPay(asked: PaymentRequirements, rules: PaymentRules): PaymentNotMadeReason | null {
  if (rules.maxUsdc === undefined) return 'no_limit'
  const contract = rules.contracts[asked.network]
  if (contract === undefined) return 'unknown_network'
  if (contract.toLowerCase() !== asked.asset.toLowerCase()) return 'unknown_asset'
  if (rules.bounty && !isAsOffered(asked, rules.bounty)) return 'differs_from_bounty'
  const amount = parseAtomic(asked.amount)
  return amount !== null && amount <= limitOf(rules.maxUsdc) ? null : 'over_limit'
}

function limitOf(maxUsdc: string): bigint {
  const limit = parseUsdc(maxUsdc)
  if (limit === null) throw new TypeError(`maxUsdc is an amount such as 5 or 2.50, not ${JSON.stringify(maxUsdc)}`)
  return limit
}

const isAsOffered = (asked: PaymentRequirements, { amount, network }: Bounty): boolean =>
  (amount === null || amount === asked.amount) && (network === null || network === asked.network)

const [one, five, twenty] = limits.hire.fixedUsdc
const FIXED_USDC: Readonly<Partial<Record<EndpointName, number>>> = {
  hireUsd1: one,
  hireUsd5: five,
  hireUsd20: twenty,
}

/** What a request offers to pay into escrow; null when it leaves that to the service, up to the caller's limit. */
export function bountyOf(name: EndpointName, body: unknown): Bounty | null {
  const sent = isRecord(body) ? body : {}
  if (name === 'createTask') return depositOf(sent)
  const network = textOf(sent.network)
  const usdc = FIXED_USDC[name] ?? (name === 'hire' ? sent.bounty_usdc : undefined)
  if (typeof usdc === 'number' || typeof usdc === 'string') return { amount: String(parseUsdc(String(usdc))), network }
  return name === 'hire' ? { amount: null, network } : null
}

/** A task without a bounty, or with one that is signed at acceptance, is posted without paying. */
const depositOf = ({ bounty, escrow }: Sent): Bounty =>
  isRecord(bounty) && escrow !== false
    ? { amount: String(bounty.amount), network: String(bounty.network) }
    : { amount: '0', network: null }

type Sent = Readonly<Record<string, unknown>>

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

const isRecord = (value: unknown): value is Sent => typeof value === 'object' && value !== null
