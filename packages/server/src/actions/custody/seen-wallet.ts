import type { Movement } from '../../domain/custody/movement.ts'
import type { CarriedOut, ProvenBlock, WalletLook } from '../../ports/wallet-chain.ts'

/** What a look found in a wallet, and the authorization executed by each movement that is not on record. */
export type SeenWallet = WalletLook & {
  readonly since: ProvenBlock
  /** This look books everything up to this block, which is proven next. */
  readonly upTo: ProvenBlock
  readonly carriedOut: ReadonlyMap<string, CarriedOut>
}

export const keyOf = ({ txHash, logIndex }: Movement): string => `${txHash} ${logIndex}`
