import type { Hex } from '../domain/transfer/transfer.ts'
import { type Rpc, RpcFailure, readQuantity, strange, writeQuantity } from './json-rpc.ts'

/** A block as far as it concerns us; `time` is in unix seconds. */
export type Block = { readonly number: bigint; readonly time: bigint }

export async function readBlock(rpc: Rpc, which: bigint | 'latest'): Promise<Block> {
  const block = await rpc('eth_getBlockByNumber', [tagOf(which), false])
  if (typeof block !== 'object' || block === null) throw strange('block')
  const { number, timestamp } = block as { readonly number?: unknown; readonly timestamp?: unknown }
  return { number: readQuantity(number, 'block'), time: readQuantity(timestamp, 'block') }
}

/** Calls a function that answers with one word of 32 bytes, as of a block. */
export async function readWord(rpc: Rpc, to: Hex, data: Hex, block: bigint | 'latest'): Promise<bigint> {
  const word = await rpc('eth_call', [{ to, data }, tagOf(block)])
  if (word === '0x') throw new RpcFailure('reverted', 'call: the contract has no such function')
  if (typeof word !== 'string' || word.length !== 66) throw strange('call')
  return readQuantity(word, 'call')
}

export async function hasCode(rpc: Rpc, address: Hex): Promise<boolean> {
  const code = await rpc('eth_getCode', [address, 'latest'])
  if (typeof code !== 'string' || !code.startsWith('0x')) throw strange('code')
  return code !== '0x'
}

const tagOf = (block: bigint | 'latest'): string => (block === 'latest' ? block : writeQuantity(block))
