import { AsyncLocalStorage } from 'node:async_hooks'

/** What is known of the verify or settle call that the current work is done for. */
export type SettlingCall = {
  /** Whether the node failed to answer at some point, so that a refusal may be no verdict on the payment. */
  nodeFailed: boolean
  /** Whether the transaction gets too little gas to succeed. */
  readonly starvedOfGas: boolean
}

export const settlingCall = new AsyncLocalStorage<SettlingCall>()

export function noteNodeFailure(): undefined {
  const call = settlingCall.getStore()
  if (call) call.nodeFailed = true
}
