import type { Transfer } from './transfer.ts'

/**
 * Whether a node shows less of the chain than has settled the transfer: such a node cannot tell that its block was taken back.
 * A chain that was reorganised to fewer blocks can, as soon as it has grown to that height again.
 */
export const wasReadBehind = (
  { state, blockNumber }: Pick<Transfer, 'state' | 'blockNumber'>,
  head: bigint,
  confirmations: number,
): boolean => state === 'settled' && blockNumber !== null && head < blockNumber + BigInt(confirmations) - 1n
