import type { Call, CallOptions, Params } from './call-types.ts'

/** Payments, looked up by what the payer knows of them. */
export const paymentsOf = (call: Call) => ({
  /** The outcome of an authorization that was shown to the service; not_found when it never was. */
  outcome: (authorization: Params<'getAuthorization'>, options?: CallOptions) =>
    call('getAuthorization', { params: authorization, ...options }),
})
