import type { Body, Call, CallOptions } from './call-types.ts'

/** What went wrong or could be better. */
export const feedbackOf = (call: Call) => ({
  /** Reports to the operators, signed when the client has a key. Secrets are removed before it is stored. */
  give: (report: Body<'giveFeedback'>, options?: CallOptions) => call('giveFeedback', { body: report, ...options }),
})
