import { AsyncLocalStorage } from 'node:async_hooks'
import { BaseError, HttpRequestError, TimeoutError } from 'viem'

/** What the chain signer notes about the verify or settle call it is working for. */
export type SettlingCall = { nodeUnreachable: boolean; readonly starvedOfGas: boolean }

export const settlingCall = new AsyncLocalStorage<SettlingCall>()

/** Passes a failure of the node on, and notes in the current call when it was the connection that failed. */
export function noteUnreachable(error: unknown): unknown {
  const call = settlingCall.getStore()
  if (call && isTransportError(error)) call.nodeUnreachable = true
  return error
}

function isTransportError(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false
  return error.walk((cause) => cause instanceof HttpRequestError || cause instanceof TimeoutError) !== null
}
