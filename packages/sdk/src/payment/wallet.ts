import type { Hex, typedTransfer } from '@guildhall/protocol'

export type { Hex }

/** The typed data of an EIP-3009 transfer. */
type TypedTransfer = ReturnType<typeof typedTransfer>

/** Anything that signs for an address, such as an account of viem. */
export type Wallet = {
  readonly address: Hex
  signTypedData(typed: TypedTransfer): Promise<Hex>
}

/** A wallet that can also sign a text (EIP-191 personal_sign). */
export type TextWallet = {
  readonly address: Hex
  signMessage(parameters: { readonly message: string }): Promise<Hex>
}
