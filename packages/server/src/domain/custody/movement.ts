import type { Hex } from '../transfer/transfer.ts'

/** One USDC transfer into or out of the escrow wallet, as the chain logged it. */
export type Movement = {
  readonly txHash: Hex
  /** Its index among the logs of its block: together with the hash it identifies the movement. */
  readonly logIndex: number
  readonly blockNumber: bigint
  readonly incoming: boolean
  /** The sender of an incoming movement, the recipient of an outgoing one. */
  readonly counterparty: Hex
  readonly amount: bigint
}

/** The change of the balance by these movements. */
export const netOf = (movements: readonly Movement[]): bigint =>
  movements.reduce((sum, { incoming, amount }) => (incoming ? sum + amount : sum - amount), 0n)
