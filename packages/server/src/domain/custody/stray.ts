import type { Instant } from '../instant.ts'
import type { Hex, TransferState } from '../transfer/transfer.ts'
import type { Movement } from './movement.ts'

/** Money that came to the wallet unasked and belongs to whoever sent it. */
export type Stray = Movement & {
  readonly id: string
  readonly network: string
  readonly seenAt: Instant
  /** The payout that sends it back, once somebody has asked for it. */
  readonly returned: { readonly transferId: string; readonly state: TransferState; readonly txHash: Hex | null } | null
}
