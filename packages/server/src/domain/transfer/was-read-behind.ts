import type { Transfer } from './transfer.ts'

/**
 * Whether a node's head is below the height at which the transfer settled: such a lagging node cannot prove a reorg. After a
 * reorg to a shorter chain, the node can once the chain has grown to that height again.
 */
export const wasReadBehind = (
  { state, blockNumber }: Pick<Transfer, 'state' | 'blockNumber'>,
  head: bigint,
  confirmations: number,
): boolean => state === 'settled' && blockNumber !== null && head < blockNumber + BigInt(confirmations) - 1n
