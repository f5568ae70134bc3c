import type { Hex } from '../domain/transfer/transfer.ts'

/** A network on which this service takes bounties. */
export type ServedNetwork = {
  readonly network: string
  readonly usdc: Hex
  /** The token's EIP-712 domain. */
  readonly domain: { readonly name: string; readonly version: string }
  /** Blocks, the transaction's own included, before a settlement counts. */
  readonly confirmations: number
  /** Blocks before money that came in may leave again, and before a block's time proves an authorization dead. */
  readonly finality: number
  /** From this amount on, more blocks for either. */
  readonly large?: { readonly fromAtomic: bigint; readonly finality: number } | undefined
  /** Settled transfers are watched for this many blocks, if that is more than their finality. */
  readonly reorgDepth?: number | undefined
}

/** What the house pays for a test run and where, and the score that lets an agent do one. */
export type TestingRules = { readonly network: string; readonly bountyAtomic: bigint; readonly minScore: number }

/** What an operator may set of the rules; the rest is in the protocol's limits. */
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
  /** For wallets, owners, and agents that are new. */
  readonly newPosterExpiryCapDays: number
  readonly bondSlotAtomic: bigint
  /** The most that the escrow key signs away at once, and so the most that one task may have in escrow. */
  readonly maxPayoutAtomic: bigint
  /** The most that all nodes together sign away within an hour. */
  readonly maxHourlyPayoutAtomic: bigint
  readonly claimBudget: {
    readonly base: number
    readonly perAcceptedDelivery: number
    readonly perExpiredClaim: number
    readonly floor: number
    readonly max: number
  }
  readonly testing: TestingRules
  /** How long a request waits for its own settlement before it answers with the truth so far. */
  readonly settleInRequestMs: number
}
