import type { Call, CallOptions, Params } from './call-types.ts'

/** Payments by what the payer knows of them. */
export const paymentsOf = (call: Call) => ({
  /** What became of an authorization that was shown; refused with not_found when it never was. */
  outcome: (authorization: Params<'getAuthorization'>, options?: CallOptions) =>
    call('getAuthorization', { params: authorization, ...options }),
})
