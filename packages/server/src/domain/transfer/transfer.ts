import type { Hex } from '@guildhall/protocol'
import type { Instant } from '../instant.ts'

export type { Hex }

/** Money that comes in is signed by the payer; money that goes out is signed by the escrow key. */
export type TransferPurpose = 'deposit' | 'bounty' | 'bond' | 'release' | 'refund' | 'withdrawal' | 'return'

/** `intended` covers everything that may still happen: unsent, sent, pending, unknown. */
export type TransferState = 'intended' | 'settled' | 'dead' | 'superseded'

/** One EIP-3009 authorization. */
export type Authorization = {
  readonly network: string
  readonly asset: Hex
  readonly from: Hex
  readonly to: Hex
  readonly value: bigint
  readonly validAfter: bigint
  readonly validBefore: bigint
  readonly nonce: Hex
}

/** An authorization that we mean to see through to the end, with all that is known of it. */
export type Transfer = {
  readonly id: string
  readonly purpose: TransferPurpose
  readonly authorization: Authorization
  /** Null on a payout that has not been signed yet. */
  readonly signature: Hex | null
  readonly taskId: string | null
  readonly agentId: string | null
  /** The deposit that a release or refund empties. */
  readonly depositId: string | null
  readonly state: TransferState
  /** Blocks before this one cannot hold its outcome. */
  readonly fromBlock: bigint
  readonly txHash: Hex | null
  readonly blockNumber: bigint | null
  /** Deep enough in the chain that what came in may leave again. */
  readonly mature: boolean
  /** So deep that the chain will not take it back: nobody looks at it any more. */
  readonly final: boolean
  readonly attempts: number
  readonly lastError: string | null
  readonly nextAttemptAt: Instant | null
  readonly leaseUntil: Instant | null
  /** Counts leases: an outcome is written only by the holder of the newest. */
  readonly fence: number
  readonly createdAt: Instant
  readonly settledAt: Instant | null
}

export const isPayout = (purpose: TransferPurpose): boolean =>
  purpose === 'release' || purpose === 'refund' || purpose === 'withdrawal' || purpose === 'return'

/** Nothing can come of it any more, whoever may still hold a lease from before. */
export const hasEnded = ({ state }: Transfer): boolean => state === 'dead' || state === 'superseded'
