import type { Instant } from '../instant.ts'
import type { TransferPurpose } from '../transfer/transfer.ts'

/** `wallet` is what the chain holds for us; the other accounts say to whom it belongs. */
export type Account = 'wallet' | 'deposits' | 'bonds' | 'house' | 'suspense'

/** One movement of custody: the same amount on both sides. */
export type Posting = {
  readonly id: string
  readonly network: string
  readonly debit: Account
  readonly credit: Account
  readonly amount: bigint
  readonly reason: TransferPurpose | 'slash' | 'stray' | 'undone'
  readonly transferId: string | null
  readonly taskId: string | null
  readonly agentId: string | null
  readonly txHash: string | null
  readonly createdAt: Instant
}
