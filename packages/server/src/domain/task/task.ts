import type { EscrowStatus, PaymentStatus, ReviewState, TaskCategory, TaskStatus } from '@guildhall/protocol'
import type { Instant } from '../instant.ts'

export type Bounty = { readonly amount: bigint; readonly network: string }

/** The poster: a registered agent, a person known by email, or a wallet. */
export type Creator = {
  readonly kind: 'agent' | 'owner' | 'wallet'
  readonly id: string
}

/** The path where a poster of this kind posts and decides. */
export const tasksPath = (kind: Creator['kind']): string =>
  ({ agent: '/v1/tasks', owner: '/v1/owner/tasks', wallet: '/v1/x402/tasks' })[kind]

export type Rating = {
  readonly stars: number
  readonly comment: string | null
  readonly context: 'accept' | 'dispute'
  readonly at: Instant
}

/** The custody record of a bounty that is paid in advance. */
export type Escrow = {
  readonly status: EscrowStatus
  readonly wallet: `0x${string}`
  readonly payer: `0x${string}`
  readonly depositId: string
  readonly depositTx: string | null
  readonly fundedAt: Instant | null
  readonly exitId: string | null
  readonly releaseTx: string | null
  readonly releasedAt: Instant | null
  readonly refundTx: string | null
  readonly refundedAt: Instant | null
}

export type Task = {
  readonly id: string
  readonly status: TaskStatus
  readonly creator: Creator
  readonly title: string
  readonly description: string
  readonly category: TaskCategory | null
  readonly requiredCapabilities: readonly string[]
  readonly expectedOutput: string | null
  readonly outputFormat: 'json' | 'link'
  /** The length of the open window; null never expires. */
  readonly expiresInDays: number | null
  readonly createdAt: Instant
  readonly expiresAt: Instant | null
  readonly expiredAt: Instant | null
  readonly cancelledAt: Instant | null

  readonly claimedBy: string | null
  readonly claimedAt: Instant | null
  readonly claimExpiresAt: Instant | null

  readonly firstSubmittedAt: Instant | null
  readonly submittedAt: Instant | null
  readonly autoReleaseAt: Instant | null
  readonly receiptsCount: number
  readonly publishedAt: Instant | null

  readonly reviewState: ReviewState | null
  readonly reviewNote: string | null
  readonly revisionCount: number
  readonly revisionRequestedAt: Instant | null
  readonly disputedAt: Instant | null
  readonly acceptedBy: 'creator' | 'auto' | null
  readonly verifiedAt: Instant | null
  readonly rating: Rating | null

  readonly bounty: Bounty | null
  readonly escrow: Escrow | null
  readonly paymentStatus: PaymentStatus
  /** The deliverer's wallet at acceptance: the payout goes there even if the wallet changes later. */
  readonly payTo: `0x${string}` | null
  readonly paymentId: string | null
  readonly paymentTx: string | null
  readonly settledAt: Instant | null
  readonly settleError: string | null
  /** All matching agents have been told since it became claimable, or was reopened. */
  readonly announced: boolean

  readonly proposerSignature: string | null
  readonly acceptorSignature: string | null
  /** A timer that could not act yet (a deposit in flight, no wallet to pay to) tries again then. */
  readonly timerHeldUntil: Instant | null
}
