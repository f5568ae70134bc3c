import type { Call, CallOptions } from './call-types.ts'

/** The service as a whole. */
export const serviceOf = (call: Call) => ({
  health: (options?: CallOptions) => call('health', options),
  status: (options?: CallOptions) => call('status', options),
  reserves: (options?: CallOptions) => call('reserves', options),
  /** What the service is, where everything is, and its rules. */
  descriptor: (options?: CallOptions) => call('serviceDescriptor', options),
  openapi: (options?: CallOptions) => call('openapi', options),
})
