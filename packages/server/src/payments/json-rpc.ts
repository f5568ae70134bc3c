import type { Hex } from '../domain/transfer/transfer.ts'
import { postJson } from './post-json.ts'

/** One call to a node; throws RpcFailure when there is no result. */
export type Rpc = (method: string, params: readonly unknown[]) => Promise<unknown>

/** The node gave no result. The message is ours and does not reveal the node's address. */
export class RpcFailure extends Error {
  /**
   * `unanswered`: no answer, or an unreadable one; `refused`: the node returned an error, or too much; `reverted`: it ran the
   * call, which failed.
   */
  readonly kind: 'unanswered' | 'refused' | 'reverted'

  constructor(kind: RpcFailure['kind'], message: string) {
    super(message)
    this.name = 'RpcFailure'
    this.kind = kind
  }
}

/** Room for the receipt of the largest transaction that fits into a block. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024

const REVERTED = /revert|out of ?gas|invalid (?:opcode|jump)|stack (?:under|over)flow|EVM error|vm exception/i

export function createRpc({ url, timeoutMs }: { readonly url: string; readonly timeoutMs: number }): Rpc {
  return async (method, params) => {
    const body = { jsonrpc: '2.0', id: 1, method, params }
    const answer = await postJson({ url, body, timeoutMs, maxAnswerBytes: MAX_ANSWER_BYTES })
    if (answer.kind === 'failed')
      throw new RpcFailure(answer.isTooLarge ? 'refused' : 'unanswered', `${method}: ${answer.cause}`)
    const { status, body: said } = answer
    if (status === 429 || status >= 500) {
      const isRefusal = status !== 429 && typeof said === 'object' && said !== null && 'error' in said
      throw new RpcFailure(isRefusal ? 'refused' : 'unanswered', `${method}: HTTP ${status}`)
    }
    return readResult(method, said)
  }
}

function readResult(method: string, body: unknown): unknown {
  if (typeof body !== 'object' || body === null) throw strange(method)
  if ('error' in body && body.error) {
    const { code, message } = body.error as { readonly code?: unknown; readonly message?: unknown }
    const reverted = code === 3 || REVERTED.test(String(message))
    throw new RpcFailure(reverted ? 'reverted' : 'refused', `${method}: the node refused (${Number(code)})`)
  }
  if (!('result' in body)) throw strange(method)
  return body.result
}

/** A number in the hexadecimal form of JSON-RPC. */
export function readQuantity(value: unknown, of: string): bigint {
  if (typeof value !== 'string' || !/^0x[0-9a-fA-F]{1,64}$/.test(value)) throw strange(of)
  return BigInt(value)
}

export function readHash(value: unknown, of: string): Hex {
  if (typeof value !== 'string' || !/^0x[0-9a-fA-F]{64}$/.test(value)) throw strange(of)
  return value.toLowerCase() as Hex
}

export const writeQuantity = (value: bigint): string => `0x${value.toString(16)}`

export const strange = (of: string): RpcFailure => new RpcFailure('unanswered', `${of}: the node gave a strange answer`)
