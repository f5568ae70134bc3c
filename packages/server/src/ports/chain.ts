import type { Authorization, Hex } from '../domain/transfer/transfer.ts'
import type { Unreachable } from './unreachable.ts'
import type { WalletChain } from './wallet-chain.ts'

/** What the chain shows of one authorization, as of the newest block that its node knows: `head`. */
export type Evidence =
  /** AuthorizationUsed with its adjacent, exact Transfer; `confirmations` counts the block itself as one. */
  | {
      readonly kind: 'settled'
      readonly txHash: Hex
      readonly blockNumber: bigint
      /** The index of the Transfer among the logs of its block. */
      readonly logIndex: number
      readonly confirmations: number
      readonly head: bigint
    }
  /** The nonce was spent on another transfer, or cancelled. */
  | { readonly kind: 'spent_otherwise'; readonly txHash: Hex; readonly confirmations: number; readonly head: bigint }
  /** Not used so far; `finalTime` is the time of the newest final block, in unix seconds. */
  | { readonly kind: 'unused'; readonly finalTime: bigint; readonly head: bigint }
  | Unreachable

/** What an address held after a block. */
export type Balance = { readonly kind: 'balance'; readonly atomic: bigint; readonly block: bigint }

export type Head = { readonly kind: 'head'; readonly number: bigint }

/** The chains as our own RPC nodes show them. A node that does not answer is an outcome, not an exception. */
export type Chain = WalletChain & {
  /** The number of the newest block, or of one that was the newest a second ago: what comes is looked for from there on. */
  head(network: string): Promise<Head | Unreachable>
  /** Whether the nonce has been used or cancelled, as of the newest block. */
  isUsed(authorization: Authorization): Promise<boolean | Unreachable>
  evidence(authorization: Authorization, fromBlock: bigint): Promise<Evidence>
  /** Unreachable, too, while a second node of the network disagrees: nothing may leave a wallet on the word of one of them. */
  balanceOf(network: string, address: Hex): Promise<Balance | Unreachable>
  /**
   * Whether the wallet signed the text (EIP-191). Plain keys are checked offline, contracts by ERC-1271 and ERC-6492.
   * `unserved`: only a contract could have made this signature, and there is no node for its network.
   */
  walletSigned(
    network: string,
    address: Hex,
    text: string,
    signature: Hex,
  ): Promise<'plain' | 'contract' | 'no' | 'unserved' | Unreachable>
  /** The same for an authorization, which its payer signs as EIP-712 typed data. */
  payerSigned(authorization: Authorization, signature: Hex): Promise<'plain' | 'contract' | 'no' | Unreachable>
}
