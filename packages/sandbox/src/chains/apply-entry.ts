import { mineBlocks, mineWaiting, nextBlockTime } from './mine.ts'
import { type Entry, type Replica, readHead } from './replica.ts'
import { RpcError } from './rpc-error.ts'
import { wholeNumber } from './whole-number.ts'

/**
 * Carries out one call that changes the chain. The outcome depends on the replica and the entry alone, so that the same
 * entries give the same blocks again, hashes included.
 */
export async function applyEntry(replica: Replica, entry: Entry): Promise<unknown> {
  const change = changes.get(entry.method) ?? changes.get(withoutNamespace(entry.method)) ?? otherChange
  const before = replica.head
  try {
    return await change(replica, entry)
  } finally {
    if (replica.head === before) replica.head = await readHead(replica.call)
  }
}

/** About ten seconds of mining, in which nobody else can change the chain. */
const MAXIMUM_BLOCKS_AT_ONCE = 10_000
const MAXIMUM_INTERVAL_SECONDS = 86_400
/** Far in the future; later times would lose precision somewhere. */
const LATEST_TIME = 10 ** 12

type Change = (replica: Replica, entry: Entry) => Promise<unknown>

const changes = byName({
  eth_sendTransaction: send,
  eth_sendRawTransaction: send,
  eth_sendUnsignedTransaction: send,
  eth_sendTransactionSync: sendAndAwait,
  eth_sendRawTransactionSync: sendAndAwait,
  evm_mine: mineByOptions,
  mine: mineByCount,
  async setAutomine(replica, { params, clock }) {
    replica.rules = { ...replica.rules, automine: params[0] === true, mineEvery: 0 }
    await mineWaiting(replica, clock)
    return null
  },
  async setIntervalMining(replica, { params }) {
    replica.rules = { ...replica.rules, automine: false, mineEvery: wholeNumber(params[0], MAXIMUM_INTERVAL_SECONDS) }
    return null
  },
  async setNextBlockTimestamp(replica, { params }) {
    const next = wholeNumber(params[0], LATEST_TIME)
    if (next < replica.head.time) throw tooEarly(next)
    replica.rules = { ...replica.rules, next }
    return null
  },
  async increaseTime(replica, { params }) {
    replica.rules = { ...replica.rules, ahead: replica.rules.ahead + wholeNumber(params[0], LATEST_TIME) }
    return replica.rules.ahead
  },
  async setTime(replica, { params, clock }) {
    replica.rules = { ...replica.rules, ahead: wholeNumber(params[0], LATEST_TIME) - clock }
    return replica.rules.ahead
  },
  async setBlockTimestampInterval(replica, { params }) {
    replica.rules = { ...replica.rules, step: wholeNumber(params[0], LATEST_TIME) }
    return null
  },
  async removeBlockTimestampInterval(replica) {
    const had = replica.rules.step !== null
    replica.rules = { ...replica.rules, step: null }
    return had
  },
  async snapshot(replica, { method }) {
    const id = `0x${replica.rules.snapshotsTaken.toString(16)}`
    const nodeId = await replica.call(method, [])
    replica.rules = { ...replica.rules, snapshotsTaken: replica.rules.snapshotsTaken + 1 }
    replica.snapshots.set(id, { nodeId, on: replica.head.hash, rules: replica.rules })
    return id
  },
  async revert(replica, { method, params }) {
    const snapshot = replica.snapshots.get(`0x${Number(params[0]).toString(16)}`)
    if (!snapshot) return false
    const { ahead, next, step, snapshotsTaken } = snapshot.rules
    for (const [id, later] of replica.snapshots) {
      if (later.rules.snapshotsTaken >= snapshotsTaken) replica.snapshots.delete(id)
    }
    // A node that reverts to a block which a reorg has taken away is left without a newest block.
    if ((await replica.call('eth_getBlockByHash', [snapshot.on, false])) === null) return false
    replica.rules = { ...replica.rules, ahead, next, step }
    return replica.call(method, [snapshot.nodeId])
  },
  reset: refuse,
  setChainId: refuse,
  setRpcUrl: refuse,
})

function byName(table: Readonly<Record<string, Change>>): ReadonlyMap<string, Change> {
  return new Map(Object.entries(table))
}

const KEPT_BY_THE_NODE_ALONE = /^(autoImpersonate|impersonate|stopImpersonating|setMinGasPrice)/

async function otherChange(replica: Replica, entry: Entry): Promise<unknown> {
  const answer = await replica.call(entry.method, entry.params)
  if (KEPT_BY_THE_NODE_ALONE.test(withoutNamespace(entry.method))) {
    const same = JSON.stringify([entry.method, entry.params])
    const others = replica.nodeSettings.filter((kept) => JSON.stringify([kept.method, kept.params]) !== same)
    replica.nodeSettings = [...others, entry]
  }
  return answer
}

async function send(replica: Replica, { method, params, clock }: Entry): Promise<unknown> {
  const hash = await replica.call(method, params)
  await mineWaiting(replica, clock)
  return hash
}

async function sendAndAwait(replica: Replica, entry: Entry): Promise<unknown> {
  const hash = await send(replica, {
    ...entry,
    method: entry.method.replace(/Sync$/, ''),
    params: entry.params.slice(0, 1),
  })
  return replica.call('eth_getTransactionReceipt', [hash])
}

async function mineByOptions(replica: Replica, { params, clock }: Entry): Promise<unknown> {
  const [given] = params
  const options = given !== null && typeof given === 'object' ? (given as MineOptions) : { timestamp: given }
  const asked =
    options.timestamp === undefined || options.timestamp === null ? null : wholeNumber(options.timestamp, LATEST_TIME)
  if (asked !== null && asked < replica.head.time) throw tooEarly(asked)
  const count = wholeNumber(options.blocks ?? 1, MAXIMUM_BLOCKS_AT_ONCE)
  await mineBlocks(replica, asked ?? nextBlockTime(replica, clock), count, replica.rules.step ?? 0)
  return '0x0'
}

type MineOptions = { readonly timestamp?: unknown; readonly blocks?: unknown }

async function mineByCount(replica: Replica, { params, clock }: Entry): Promise<unknown> {
  const [count, gap] = params
  const seconds = wholeNumber(gap ?? replica.rules.step ?? 0, LATEST_TIME)
  const blocks = wholeNumber(count ?? 1, MAXIMUM_BLOCKS_AT_ONCE)
  await mineBlocks(replica, nextBlockTime(replica, clock), blocks, seconds)
  return null
}

async function refuse(_replica: Replica, { method }: Entry): Promise<never> {
  throw new RpcError({ code: -32601, message: `The sandbox's chains do not offer ${method}.` })
}

function tooEarly(time: number): RpcError {
  return new RpcError({ code: -32602, message: `Timestamp error: ${time} is lower than previous block's timestamp` })
}

function withoutNamespace(method: string): string {
  return method.replace(/^[a-z]+_/, '')
}
