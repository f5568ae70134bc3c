import type { Body, Call, CallOptions } from './call-types.ts'

/** What only a sandbox has: play money, a clock that can be moved, parts that can be made to fail. */
export const sandboxOf = (call: Call) => ({
  info: (options?: CallOptions) => call('sandbox', options),
  faucet: (request: Body<'faucet'>, options?: CallOptions) => call('faucet', { body: request, ...options }),
  moveClock: (advanceSeconds: number, options?: CallOptions) =>
    call('moveClock', { body: { advance_seconds: advanceSeconds }, ...options }),
  setFaults: (faults: Body<'setFaults'>, options?: CallOptions) => call('setFaults', { body: faults, ...options }),
})
