import type { Call, CallOptions } from './call-types.ts'

/** The service as a whole. */
export const serviceOf = (call: Call) => ({
  health: (options?: CallOptions) => call('health', options),
  status: (options?: CallOptions) => call('status', options),
  reserves: (options?: CallOptions) => call('reserves', options),
  openapi: (options?: CallOptions) => call('openapi', options),
})
