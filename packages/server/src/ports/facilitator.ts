import type { PaymentRequirements } from '@guildhall/protocol'
import type { Authorization, Hex } from '../domain/transfer/transfer.ts'

export type SignedAuthorization = { readonly authorization: Authorization; readonly signature: Hex }

export type VerifyOutcome =
  | { readonly kind: 'valid'; readonly payer: Hex }
  | { readonly kind: 'invalid'; readonly reason: string }
  | { readonly kind: 'unavailable'; readonly cause: string }

/** A hint, never evidence: only the chain knows what happened. */
export type SettleOutcome =
  | { readonly kind: 'settled'; readonly txHash: Hex }
  | { readonly kind: 'pending'; readonly txHash: Hex | null }
  | { readonly kind: 'rejected'; readonly reason: string }
  | { readonly kind: 'unknown'; readonly cause: string }

/** The x402 facilitator, reached over HTTP; it answers within its own deadline and never throws. */
export type Facilitator = {
  verify(payment: SignedAuthorization, requirements: PaymentRequirements): Promise<VerifyOutcome>
  settle(payment: SignedAuthorization, requirements: PaymentRequirements): Promise<SettleOutcome>
}
