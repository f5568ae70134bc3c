import type { Authorization, Hex } from '../domain/transfer/transfer.ts'

/** What a payout asks the escrow key to sign. */
export type PayoutIntent = {
  readonly transferId: string
  readonly authorization: Authorization
}

export type SigningOutcome =
  | { readonly kind: 'signed'; readonly signature: Hex }
  | { readonly kind: 'refused'; readonly reason: string }

/** The escrow key, which signs payouts and nothing else. It may live in another process or a key service. */
export type EscrowSigner = {
  readonly address: Hex
  /** This node knows only the address: nodes that have the key sign. */
  readonly isElsewhere?: true
  sign(intent: PayoutIntent): Promise<SigningOutcome>
}
