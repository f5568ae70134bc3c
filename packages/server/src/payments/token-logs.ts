import type { Hex } from '../domain/transfer/transfer.ts'
import { type Rpc, RpcFailure, readQuantity, strange, writeQuantity } from './json-rpc.ts'

export type TokenLog = {
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
  readonly txHash: Hex
  readonly blockHash: string
  readonly blockNumber: bigint
  readonly index: bigint
}

type LogFilter = { readonly address: Hex; readonly topics: readonly unknown[] }

export type BlockRange = { readonly from: bigint; readonly to: bigint }

/** Blocks that public nodes accept per call; on a refusal the span is reduced. */
const MAX_SPAN = 9_000n
const MIN_SPAN = 10n
const DEADLINE_MS = 30_000
/** After months offline the service has many blocks to catch up with. */
const LONG_DEADLINE_MS = 240_000

/**
 * The one log of a contract that fits the topics; null when there is none. A payment is near the first block, as it was recorded
 * just before; a payout, which may be recorded months before it leaves, is near the last one.
 */
export async function findLog(rpc: Rpc, filter: LogFilter, range: BlockRange): Promise<TokenLog | null> {
  const effort = { span: MAX_SPAN, deadlineMs: DEADLINE_MS, fromBothEnds: true }
  for await (const [first] of logsInSpans(rpc, filter, range, effort)) if (first) return first
  return null
}

/** All matching logs in chain order. `span` is the most blocks per call. */
export async function readAllLogs(
  rpc: Rpc,
  filter: LogFilter,
  range: BlockRange,
  span: bigint,
): Promise<readonly TokenLog[]> {
  const effort = { span, deadlineMs: LONG_DEADLINE_MS, fromBothEnds: false }
  const logs: TokenLog[] = []
  for await (const some of logsInSpans(rpc, filter, range, effort)) logs.push(...some)
  if (logs.some(({ blockNumber }) => blockNumber < range.from || blockNumber > range.to)) throw strange('eth_getLogs')
  return logs
}

async function* logsInSpans(
  rpc: Rpc,
  filter: LogFilter,
  range: BlockRange,
  effort: { readonly span: bigint; readonly deadlineMs: number; readonly fromBothEnds: boolean },
): AsyncGenerator<readonly TokenLog[], void, undefined> {
  const deadline = AbortSignal.timeout(effort.deadlineMs)
  let { span } = effort
  let { from: first, to: last } = range
  let isAtEnd = false
  while (first <= last) {
    if (deadline.aborted) throw new RpcFailure('unanswered', 'eth_getLogs: too many blocks to look through')
    const from = isAtEnd && last - span >= first ? last - span + 1n : first
    const to = isAtEnd || first + span > last ? last : first + span - 1n
    try {
      yield await readLogs(rpc, { ...filter, fromBlock: writeQuantity(from), toBlock: writeQuantity(to) })
      if (isAtEnd) last = from - 1n
      else first = to + 1n
      isAtEnd = effort.fromBothEnds && !isAtEnd
    } catch (error) {
      if (!(error instanceof RpcFailure) || error.kind !== 'refused' || span <= MIN_SPAN) throw error
      span /= 3n
    }
  }
}

async function readLogs(rpc: Rpc, filter: object): Promise<readonly TokenLog[]> {
  const logs = await rpc('eth_getLogs', [filter])
  if (!Array.isArray(logs)) throw strange('eth_getLogs')
  return logs.map(readLog)
}

/** All logs of a successful transaction in order, as of the block it is in now. */
export async function readTransactionLogs(rpc: Rpc, txHash: Hex): Promise<readonly TokenLog[]> {
  const receipt = await rpc('eth_getTransactionReceipt', [txHash])
  if (typeof receipt !== 'object' || receipt === null) throw new RpcFailure('unanswered', 'the receipt is not there')
  const { status, logs } = receipt as { readonly status?: unknown; readonly logs?: unknown }
  if (!Array.isArray(logs)) throw strange('receipt')
  if (readQuantity(status, 'receipt') !== 1n) throw strange('receipt')
  return logs.map(readLog).sort((one, other) => Number(one.index - other.index))
}

function readLog(log: unknown): TokenLog {
  if (typeof log !== 'object' || log === null) throw strange('log')
  const { address, topics, data, transactionHash, blockHash, blockNumber, logIndex } = log as Record<string, unknown>
  if (!Array.isArray(topics)) throw strange('log')
  return {
    address: readHex(address),
    topics: topics.map(readHex),
    data: readHex(data),
    txHash: readHex(transactionHash),
    blockHash: readHex(blockHash),
    blockNumber: readQuantity(blockNumber, 'log'),
    index: readQuantity(logIndex, 'log'),
  }
}

function readHex(value: unknown): Hex {
  if (typeof value !== 'string' || !/^0x[0-9a-fA-F]*$/.test(value)) throw strange('log')
  return value.toLowerCase() as Hex
}
