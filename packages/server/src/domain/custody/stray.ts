import type { Instant } from '../instant.ts'
import type { Hex, TransferState } from '../transfer/transfer.ts'
import type { Movement } from './movement.ts'

/** Unrequested money in the wallet, which belongs to its sender. */
export type Stray = Movement & {
  readonly id: string
  readonly network: string
  readonly seenAt: Instant
  /** The payout that returns it, once an operator has asked for it. */
  readonly returned: { readonly transferId: string; readonly state: TransferState; readonly txHash: Hex | null } | null
}
