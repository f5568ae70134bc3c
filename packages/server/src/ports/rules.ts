import type { Hex } from '../domain/transfer/transfer.ts'

/** A network on which this service takes bounties. */
export type ServedNetwork = {
  readonly network: string
  readonly usdc: Hex
  /** The token's EIP-712 domain. */
  readonly domain: { readonly name: string; readonly version: string }
  /** Blocks before a settlement counts, including the transaction's own. */
  readonly confirmations: number
  /** Blocks before incoming money may be paid out again, and before a block's time can prove an authorization dead. */
  readonly finality: number
  /** A larger `finality` for amounts from `fromAtomic` on. */
  readonly large?: { readonly fromAtomic: bigint; readonly finality: number } | undefined
  /** Settled transfers are watched for this many blocks, if that is more than their finality. */
  readonly reorgDepth?: number | undefined
}

/** What the house pays for a test run and where, and the score that lets an agent do one. */
export type TestingRules = { readonly network: string; readonly bountyAtomic: bigint; readonly minScore: number }

/** The rules that an operator can set; the others are the protocol's limits. */
export type Rules = {
  readonly serviceName: string
  readonly baseUrl: string
  readonly paymentsEnabled: boolean
  readonly networks: readonly ServedNetwork[]
  readonly registrationDifficulty: number
  readonly registrationLimited: boolean
  readonly activation: 'registered' | 'verified'
  readonly minBountyAtomic: bigint
  readonly posterExpiryCapDays: number
  /** For wallets, owners, and new agents. */
  readonly newPosterExpiryCapDays: number
  readonly bondSlotAtomic: bigint
  /** The most that the escrow key signs in one payout, and so the largest bounty in escrow. */
  readonly maxPayoutAtomic: bigint
  /** The most that all nodes together sign in an hour. */
  readonly maxHourlyPayoutAtomic: bigint
  readonly claimBudget: {
    readonly base: number
    readonly perAcceptedDelivery: number
    readonly perExpiredClaim: number
    readonly floor: number
    readonly max: number
  }
  readonly testing: TestingRules
  /** How long a request waits for its own settlement before it answers with the state so far. */
  readonly settleInRequestMs: number
}
