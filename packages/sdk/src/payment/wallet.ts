import type { Hex, typedTransfer } from '@guildhall/protocol'

export type { Hex }

/** The typed data of an EIP-3009 transfer. */
type TypedTransfer = ReturnType<typeof typedTransfer>

/** Whatever signs for an address: an account of viem fits as it is. */
export type Wallet = {
  readonly address: Hex
  signTypedData(typed: TypedTransfer): Promise<Hex>
}

/** A wallet that can also sign a text (EIP-191 personal_sign). */
export type TextWallet = {
  readonly address: Hex
  signMessage(parameters: { readonly message: string }): Promise<Hex>
}
