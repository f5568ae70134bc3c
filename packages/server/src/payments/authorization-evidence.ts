import { encodeFunctionData, numberToHex, pad } from 'viem'
import type { Authorization } from '../domain/transfer/transfer.ts'
import type { Evidence } from '../ports/chain.ts'
import { type Block, readBlock, readWord } from './chain-reads.ts'
import { type Rpc, RpcFailure } from './json-rpc.ts'
import { AUTHORIZATION_CANCELED, AUTHORIZATION_USED, TRANSFER, tokenAbi } from './token-abi.ts'
import { findLog, readTransactionLogs, type TokenLog } from './token-logs.ts'

/** A reorg may put a transaction into a block before the one that was the head when we began to look. */
const MARGIN_BLOCKS = 1_000n

/** Whether the nonce has been used or cancelled as of a block. */
export async function isNonceSpent(rpc: Rpc, authorization: Authorization, block: bigint | 'latest'): Promise<boolean> {
  const { asset, from, nonce } = authorization
  const data = encodeFunctionData({ abi: tokenAbi, functionName: 'authorizationState', args: [from, nonce] })
  return (await readWord(rpc, asset, data, block)) !== 0n
}

/** What the chain shows of one authorization. Everything is read as of one head, so that a lagging node cannot mix two states. */
export async function readEvidence(
  rpc: Rpc,
  authorization: Authorization,
  fromBlock: bigint,
  finality: number,
): Promise<Exclude<Evidence, { kind: 'unreachable' }>> {
  const head = await readBlock(rpc, 'latest')
  if (!(await isNonceSpent(rpc, authorization, head.number))) {
    return { kind: 'unused', finalTime: await readFinalTime(rpc, head, finality), head: head.number }
  }
  const log = await findSpending(rpc, authorization, fromBlock, head)
  const confirmations = Number(head.number - log.blockNumber + 1n)
  const { txHash, blockNumber } = log
  const transfer = await exactTransfer(rpc, authorization, log)
  return transfer === null
    ? { kind: 'spent_otherwise', txHash, confirmations, head: head.number }
    : { kind: 'settled', txHash, blockNumber, logIndex: Number(transfer.index), confirmations, head: head.number }
}

/** The time of the newest block that is `finality` blocks deep; 0 while the chain is shorter. */
async function readFinalTime(rpc: Rpc, head: Block, finality: number): Promise<bigint> {
  const number = head.number - BigInt(finality) + 1n
  if (number < 0n) return 0n
  return number === head.number ? head.time : (await readBlock(rpc, number)).time
}

async function findSpending(rpc: Rpc, authorization: Authorization, fromBlock: bigint, head: Block): Promise<TokenLog> {
  const { asset, from, nonce } = authorization
  const topics = [[AUTHORIZATION_USED, AUTHORIZATION_CANCELED], pad(from), nonce]
  const start = fromBlock > MARGIN_BLOCKS ? fromBlock - MARGIN_BLOCKS : 0n
  const log = await findLog(rpc, { address: asset, topics }, { from: start, to: head.number })
  if (log === null) throw new RpcFailure('unanswered', 'log not found')
  const fits = isOf(log, asset) && log.topics[1] === lower(pad(from)) && log.topics[2] === lower(nonce)
  if (!fits || log.blockNumber > head.number) throw new RpcFailure('unanswered', 'another log than asked for')
  return log
}

/**
 * The log of exactly this transfer, if the nonce was spent on it. A payer can sign two transfers with one nonce, and a
 * transaction can execute several authorizations: the transfer of this one is the token's own next log. (Network 5042 logs each
 * transfer a second time from another address.)
 */
async function exactTransfer(rpc: Rpc, authorization: Authorization, spending: TokenLog): Promise<TokenLog | null> {
  if (spending.topics[0] !== AUTHORIZATION_USED) return null
  const { asset, from, to, value } = authorization
  const logs = (await readTransactionLogs(rpc, spending.txHash)).filter((log) => isOf(log, asset))
  const place = logs.findIndex((log) => log.index === spending.index && log.blockHash === spending.blockHash)
  if (place < 0) throw new RpcFailure('unanswered', 'the transaction has moved to another block')
  const next = logs[place + 1]
  if (next === undefined || next.topics[0] !== TRANSFER) return null
  const isExact =
    next.topics[1] === lower(pad(from)) &&
    next.topics[2] === lower(pad(to)) &&
    next.data === numberToHex(value, { size: 32 })
  return isExact ? next : null
}

const isOf = (log: TokenLog, asset: string): boolean => log.address === lower(asset)

const lower = (hex: string): string => hex.toLowerCase()
