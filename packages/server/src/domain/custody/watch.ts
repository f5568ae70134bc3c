import type { Instant } from '../instant.ts'
import type { Hex } from '../transfer/transfer.ts'

/** How far the escrow wallet of a network has been checked. */
export type Watch = {
  readonly network: string
  readonly wallet: Hex
  readonly asset: Hex
  /** The block where the watch began; earlier movements are not checked. */
  readonly firstBlock: bigint | null
  /** Up to this block every movement is known; null before the first look. */
  readonly proven: { readonly number: bigint; readonly hash: Hex; readonly balance: bigint } | null
  /** What the chain held there beyond what the books explain; negative when money is missing. */
  readonly difference: bigint
  /** Transactions sent by the wallet itself; there must be none. */
  readonly transactions: bigint
  /** Failed looks in a row. */
  readonly missed: number
  /** The problem of the last alarm. */
  readonly trouble: string | null
  readonly lookAt: Instant
  readonly provenAt: Instant | null
  readonly fence: number
}
