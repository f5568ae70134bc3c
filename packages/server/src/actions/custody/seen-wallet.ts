import type { Movement } from '../../domain/custody/movement.ts'
import type { CarriedOut, ProvenBlock, WalletLook } from '../../ports/wallet-chain.ts'

/** What was seen of a wallet, and what stands behind each movement that is not on record. */
export type SeenWallet = WalletLook & {
  readonly since: ProvenBlock
  /** Up to here everything is booked by this look: the block that is proven next. */
  readonly upTo: ProvenBlock
  readonly carriedOut: ReadonlyMap<string, CarriedOut>
}

export const keyOf = ({ txHash, logIndex }: Movement): string => `${txHash} ${logIndex}`
