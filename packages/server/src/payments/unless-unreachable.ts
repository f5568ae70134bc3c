import type { Unreachable } from '../ports/unreachable.ts'
import { RpcFailure } from './json-rpc.ts'

/** What is read, or that the node did not answer; any other error is thrown. */
export async function unlessUnreachable<T>(read: () => Promise<T>): Promise<T | Unreachable> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof RpcFailure) return unreachable(error.message)
    throw error
  }
}

export const unreachable = (cause: string): Unreachable => ({ kind: 'unreachable', cause })
