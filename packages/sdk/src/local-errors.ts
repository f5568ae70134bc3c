import type { PaymentRequirements } from '@guildhall/protocol'

/** What can go wrong on the client's side; the service's own codes are in the protocol. */
export const localErrors = {
  no_answer: 'The service could not be reached. Nothing was done.',
  outcome_unknown:
    'The request was sent and its answer was lost. Look at the resource before you try again; `carried_out` says whether it is known to have happened.',
  unexpected_answer: 'The answer is not one that a Guildhall service gives.',
  payment_not_made: 'The payment that was asked for was not signed; `reason` says why. Nothing was paid.',
} as const

export type LocalErrorCode = keyof typeof localErrors

export type PaymentNotMadeReason =
  | 'no_limit'
  | 'over_limit'
  | 'unknown_network'
  | 'unknown_asset'
  | 'differs_from_bounty'
  | 'wallet_refused'

export type LocalErrorFields = {
  no_answer: Readonly<Record<never, never>>
  outcome_unknown: {
    readonly carried_out: 'yes' | 'perhaps'
    /** The signed payment sent with the request: pass it as `pay.signed` to continue with the same one. */
    readonly payment: string | null
  }
  unexpected_answer: { readonly body: string }
  payment_not_made: { readonly reason: PaymentNotMadeReason; readonly requirements: PaymentRequirements }
}
