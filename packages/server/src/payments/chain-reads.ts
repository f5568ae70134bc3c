import { encodeFunctionData } from 'viem'
import type { Hex } from '../domain/transfer/transfer.ts'
import { type Rpc, RpcFailure, readHash, readQuantity, strange, writeQuantity } from './json-rpc.ts'
import { tokenAbi } from './token-abi.ts'

/** The fields of a block that we use; `time` is in unix seconds. */
export type Block = { readonly number: bigint; readonly hash: Hex; readonly time: bigint }

export async function readBlock(rpc: Rpc, which: bigint | 'latest'): Promise<Block> {
  const block = await rpc('eth_getBlockByNumber', [tagOf(which), false])
  if (typeof block !== 'object' || block === null) throw strange('block')
  const { number, hash, timestamp } = block as Readonly<Record<string, unknown>>
  return {
    number: readQuantity(number, 'block'),
    hash: readHash(hash, 'block'),
    time: readQuantity(timestamp, 'block'),
  }
}

export async function readBalance(rpc: Rpc, token: Hex, owner: Hex, block: bigint): Promise<bigint> {
  const data = encodeFunctionData({ abi: tokenAbi, functionName: 'balanceOf', args: [owner] })
  return readWord(rpc, token, data, block)
}

/** How many transactions an address has sent, as of a block. */
export const readTransactionCount = async (rpc: Rpc, address: Hex, block: bigint): Promise<bigint> =>
  readQuantity(await rpc('eth_getTransactionCount', [address, tagOf(block)]), 'transaction count')

/** Calls a function that returns one 32-byte word, as of a block. */
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
