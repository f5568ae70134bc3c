import type { Hex } from 'viem'
import { RpcError } from './rpc-error.ts'

/** A call that changes the chain, with the clock it was made at and the block it was made on. */
export type Entry = {
  readonly method: string
  readonly params: readonly unknown[]
  readonly clock: number
  readonly on: Hex
}

/** What governs the next block and is not part of the node's own state. Times are in seconds. */
export type MiningRules = {
  /** Whether a transaction is mined as soon as it comes. */
  readonly automine: boolean
  /** Seconds between blocks that are mined automatically; 0 for none. */
  readonly mineEvery: number
  /** How far the chain's time is ahead of the clock. */
  readonly ahead: number
  /** The time asked for the next block alone. */
  readonly next: number | null
  /** Seconds between blocks that do not follow the clock. */
  readonly step: number | null
  readonly snapshotsTaken: number
}

export type Head = { readonly number: number; readonly time: number; readonly hash: Hex; readonly baseFee: bigint }

/** One node's copy of the chain, as far as the journal has been applied to it. */
export type Replica = {
  readonly call: (method: string, params: readonly unknown[]) => Promise<unknown>
  rules: MiningRules
  head: Head
  /** Snapshots that can be reverted to, by the id that callers know. */
  readonly snapshots: Map<string, { readonly nodeId: unknown; readonly on: Hex; readonly rules: MiningRules }>
  /** Settings of the node that its dumped state does not hold. */
  nodeSettings: readonly Entry[]
}

/** A replica in full, as it is kept on disk. */
export type ReplicaSnapshot = {
  readonly rules: MiningRules
  readonly nodeSettings: readonly Entry[]
  readonly state: unknown
}

const firstRules: MiningRules = { automine: true, mineEvery: 0, ahead: 0, next: null, step: null, snapshotsTaken: 0 }

/** Brings a freshly started node to the state of the snapshot. */
export async function openReplica(call: Replica['call'], snapshot: ReplicaSnapshot | null): Promise<Replica> {
  if (snapshot) await call('anvil_loadState', [snapshot.state])
  const head = await readHead(call)
  await call('anvil_setTime', [head.time])
  // Without this the node's own clock would add the seconds that pass between two calls, and a replay would differ.
  await call('anvil_setBlockTimestampInterval', [0])
  const nodeSettings = snapshot?.nodeSettings ?? []
  for (const setting of nodeSettings) await call(setting.method, setting.params)
  return { call, rules: snapshot?.rules ?? firstRules, head, snapshots: new Map(), nodeSettings }
}

/** The replica as a snapshot, or null while it holds something that a snapshot cannot. */
export async function snapshotOf(replica: Replica): Promise<ReplicaSnapshot | null> {
  const pool = (await replica.call('txpool_status', [])) as { pending: string; queued: string }
  if (replica.snapshots.size > 0 || Number(pool.pending) > 0 || Number(pool.queued) > 0) return null
  return { rules: replica.rules, nodeSettings: replica.nodeSettings, state: await replica.call('anvil_dumpState', []) }
}

export async function readHead(call: Replica['call']): Promise<Head> {
  return headOf((await call('eth_getBlockByNumber', ['latest', false])) as RpcBlock | undefined)
}

export type RpcBlock = {
  readonly number: Hex
  readonly timestamp: Hex
  readonly hash: Hex
  readonly baseFeePerGas: Hex
  readonly transactions?: readonly unknown[]
}

export function headOf(block: RpcBlock | undefined): Head {
  if (!block) throw new RpcError({ code: -32603, message: 'The node has no newest block.' })
  return {
    number: Number(block.number),
    time: Number(block.timestamp),
    hash: block.hash,
    baseFee: BigInt(block.baseFeePerGas),
  }
}
