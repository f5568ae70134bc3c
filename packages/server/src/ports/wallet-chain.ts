import type { Movement } from '../domain/custody/movement.ts'
import type { Hex } from '../domain/transfer/transfer.ts'
import type { Unreachable } from './unreachable.ts'

/** Up to this block the movements of the wallet are known, and they come to this balance. */
export type ProvenBlock = { readonly number: bigint; readonly hash: Hex; readonly balance: bigint }

/** What has happened to a wallet since a proven block, as of one head. */
export type WalletLook = {
  readonly kind: 'look'
  readonly head: bigint
  /** The newest block that will not be taken back. */
  readonly final: bigint
  /** Of all blocks after the proven one up to the head, oldest first. */
  readonly movements: readonly Movement[]
  /** What the wallet holds at the head beyond what the movements explain: 0 proves that none is missing. */
  readonly unexplained: bigint
  /** How many transactions the wallet has sent by itself. */
  readonly transactions: bigint
}

/** The proven block is in the chain no more. */
export type Rewound = { readonly kind: 'rewound' }

export type CarriedOut =
  | { readonly kind: 'authorization'; readonly from: Hex; readonly nonce: Hex }
  /** A transfer that no authorization asked for. */
  | { readonly kind: 'plain' }

/** How the chain is read to keep the books of a wallet. */
export type WalletChain = {
  lookAtWallet(network: string, wallet: Hex, since: ProvenBlock): Promise<WalletLook | Rewound | Unreachable>
  /** A block and the balance at it; by default the newest that will not be taken back. */
  blockOfWallet(
    network: string,
    wallet: Hex,
    number?: bigint,
  ): Promise<(ProvenBlock & { readonly kind: 'block' }) | Unreachable>
  blockHash(network: string, number: bigint): Promise<{ readonly kind: 'hash'; readonly hash: Hex } | Unreachable>
  /** What the Transfer at this place of a transaction carried out. */
  carriedOut(network: string, txHash: Hex, logIndex: number): Promise<CarriedOut | Unreachable>
}
