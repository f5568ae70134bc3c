import type { Hex } from '../transfer/transfer.ts'

/** One USDC transfer into or out of the escrow wallet, as the chain logged it. */
export type Movement = {
  readonly txHash: Hex
  /** Its place among the logs of its block: with the hash, the name of the movement. */
  readonly logIndex: number
  readonly blockNumber: bigint
  readonly incoming: boolean
  /** Who sent it, or to whom it went. */
  readonly counterparty: Hex
  readonly amount: bigint
}

/** What movements did to the balance. */
export const netOf = (movements: readonly Movement[]): bigint =>
  movements.reduce((sum, { incoming, amount }) => (incoming ? sum + amount : sum - amount), 0n)
