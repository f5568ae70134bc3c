import type { Body, Call, CallOptions, PaidCallOptions } from './call-types.ts'
import type { Manager } from './manager.ts'
import { randomHex } from './random-hex.ts'

/** Hiring with nothing but a wallet: the payment is the authentication. */
export const hiresOf = (call: Call) => ({
  /** Posts a task and pays its bounty as `pay` and the client's options allow. Keep `manage.token`: it is shown only now. */
  post: (task: Body<'hire'>, options?: PaidCallOptions) => call('hire', { body: task, ...keyed(options) }),
  /** A hired task, for whoever holds its manage token, or for the wallet that paid. */
  manage: (id: string, manager: Manager) => {
    const hired = { params: { id }, manager } as const
    return {
      /** The task with its delivery. */
      get: (options?: CallOptions) => call('getHire', { ...hired, ...options }),
      submission: (options?: CallOptions) => call('getHireSubmission', { ...hired, ...options }),
      accept: (review?: Body<'acceptHire'>, options?: CallOptions) =>
        call('acceptHire', { ...hired, body: review, ...keyed(options) }),
      revision: (request: Body<'reviseHire'>, options?: CallOptions) =>
        call('reviseHire', { ...hired, body: request, ...keyed(options) }),
      dispute: (dispute: Body<'disputeHire'>, options?: CallOptions) =>
        call('disputeHire', { ...hired, body: dispute, ...keyed(options) }),
      cancel: (cancellation?: Body<'cancelHire'>, options?: CallOptions) =>
        call('cancelHire', { ...hired, body: cancellation, ...keyed(options) }),
    }
  },
})

/** Nothing here is signed by an agent: only its key tells the service that a request is a repeat. */
const keyed = <Options extends CallOptions>(options?: Options) => ({
  ...options,
  idempotencyKey: options?.idempotencyKey ?? randomHex(16),
})
