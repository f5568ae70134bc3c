import type { Instant } from '../instant.ts'
import type { Hex } from '../transfer/transfer.ts'

/** How far the escrow wallet of a network is known. */
export type Watch = {
  readonly network: string
  readonly wallet: Hex
  readonly asset: Hex
  /** Where the watch began; what moved before it is not looked into. */
  readonly firstBlock: bigint | null
  /** Up to this block every movement is known; null before the first look. */
  readonly proven: { readonly number: bigint; readonly hash: Hex; readonly balance: bigint } | null
  /** What the chain held there beyond what the books explain; below zero money is missing. */
  readonly difference: bigint
  /** What the wallet has sent by itself, which must be nothing. */
  readonly transactions: bigint
  /** Looks in a row that came to nothing. */
  readonly missed: number
  /** What an alarm was raised for last. */
  readonly trouble: string | null
  readonly lookAt: Instant
  readonly provenAt: Instant | null
  readonly fence: number
}
