import type { Movement } from '../domain/custody/movement.ts'
import type { Hex } from '../domain/transfer/transfer.ts'
import type { Unreachable } from './unreachable.ts'

/** All movements of the wallet up to this block are known, and explain this balance. */
export type ProvenBlock = { readonly number: bigint; readonly hash: Hex; readonly balance: bigint }

/** What happened to a wallet since a proven block, as of one head. */
export type WalletLook = {
  readonly kind: 'look'
  readonly head: bigint
  readonly headHash: Hex
  /** The newest final block. */
  readonly final: bigint
  /** From the block after the proven one up to the head, oldest first. */
  readonly movements: readonly Movement[]
  /** What the wallet holds at the head beyond what the movements explain; 0 proves that no movement is missing. */
  readonly unexplained: bigint
  /** How many transactions the wallet itself has sent. */
  readonly transactions: bigint
}

/** A reorg removed the proven block. */
export type Rewound = { readonly kind: 'rewound' }

export type CarriedOut =
  | { readonly kind: 'authorization'; readonly from: Hex; readonly nonce: Hex }
  /** A transfer that no authorization asked for. */
  | { readonly kind: 'plain' }

/** What the watch on the escrow wallet reads of a chain. */
export type WalletChain = {
  lookAtWallet(network: string, wallet: Hex, since: ProvenBlock): Promise<WalletLook | Rewound | Unreachable>
  /** A block and the wallet's balance there; by default the newest final block. */
  blockOfWallet(
    network: string,
    wallet: Hex,
    number?: bigint,
  ): Promise<(ProvenBlock & { readonly kind: 'block' }) | Unreachable>
  blockHash(network: string, number: bigint): Promise<{ readonly kind: 'hash'; readonly hash: Hex } | Unreachable>
  /** What caused the Transfer with this log index. */
  carriedOut(network: string, txHash: Hex, logIndex: number): Promise<CarriedOut | Unreachable>
}
