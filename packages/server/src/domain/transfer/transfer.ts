import type { Hex, TransferAuthorization } from '@guildhall/protocol'
import type { Instant } from '../instant.ts'

export type { Hex }

/** Incoming money is signed by the payer; outgoing money is signed by the escrow key. */
export type TransferPurpose = 'deposit' | 'bounty' | 'bond' | 'release' | 'refund' | 'withdrawal' | 'return'

/** `intended` covers everything that may still happen: unsent, sent, pending, unknown. */
export type TransferState = 'intended' | 'settled' | 'dead' | 'superseded'

/** One EIP-3009 authorization, and the token that it moves. */
export type Authorization = TransferAuthorization & { readonly network: string; readonly asset: Hex }

/** An authorization that we track until it ends, with everything known about it. */
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
  /** Where an operator wants a waiting release to go instead. */
  readonly redirectTo: Hex | null
  readonly state: TransferState
  /** Its outcome cannot be in an earlier block. */
  readonly fromBlock: bigint
  readonly txHash: Hex | null
  readonly blockNumber: bigint | null
  /** Deep enough in the chain for incoming money to be paid out again. */
  readonly mature: boolean
  /** So deep that no reorg is expected: it is no longer watched. */
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

/** It can never settle, even if an old lease is still held. */
export const hasEnded = ({ state }: Transfer): boolean => state === 'dead' || state === 'superseded'
