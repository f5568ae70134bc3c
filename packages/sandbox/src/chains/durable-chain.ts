import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { applyEntry } from './apply-entry.ts'
import { genesisFile } from './genesis.ts'
import { openJournal } from './journal.ts'
import { isBehindClock } from './mine.ts'
import type { NetworkPlan } from './networks.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { type Entry, type MiningRules, type ReplicaSnapshot, snapshotOf } from './replica.ts'
import { NodeLost } from './rpc-error.ts'
import { STATES_KEPT, startAnvil } from './start-anvil.ts'
import { outcomeOf, superviseNode } from './supervise-node.ts'
import { withFees } from './with-fees.ts'

/** A chain that loses nothing it has acknowledged: every change is on disk before the node sees it. */
export type DurableChain = {
  rules(): Promise<MiningRules>
  /** Answers a JSON-RPC request that only reads; both are text. */
  read(body: string): Promise<string>
  /** Carries out a call that changes the chain. */
  change(method: string, params: readonly unknown[]): Promise<unknown>
  /** Mines blocks at the clock's time if the newest is older than this many seconds and the chain mines by itself. */
  keepUp(maximumAge: number, blocks: number): Promise<void>
  pid(): number | null
  stop(): Promise<void>
}

/** More blocks than a node keeps states of, so that a restored node has them all; a restart replays at most twice as many. */
const BLOCKS_PER_SNAPSHOT = STATES_KEPT + 6
const READ_ATTEMPTS = 3

export async function openDurableChain(options: {
  readonly plan: NetworkPlan
  readonly directory: string
  readonly clock: () => number
  readonly log: (line: string) => void
}): Promise<DurableChain> {
  const { plan, directory } = options
  const name = plan.network
  const seconds = () => Math.floor(options.clock() / 1000)
  const complain = (error: Error) => options.log(`${name}: ${error.message}`)
  await mkdir(directory, { recursive: true })
  const genesis = await genesisFile(directory, plan, seconds())
  const journal = await openJournal<ReplicaSnapshot, Entry>(directory)
  let snapshotDue = journal.mark() + BLOCKS_PER_SNAPSHOT
  let justMined = false
  const inTurn = oneAtATime()
  const supervisor = superviseNode({
    name,
    start: () => startAnvil({ genesis, chainId: plan.chainId, scratchDirectory: join(directory, 'scratch') }),
    journal,
    log: options.log,
    onLost: () => void inTurn(supervisor.alive).catch(complain),
  })
  const alive = async () => supervisor.current() ?? (await inTurn(supervisor.alive))
  const ticker = blockTicker(() => void chain.change('evm_mine', []).catch(complain))

  async function changeInTurn(method: string, params: readonly unknown[]): Promise<unknown> {
    const { replica } = await supervisor.alive()
    const { number, hash, baseFee } = replica.head
    const entry = { method, params: withFees(method, params, baseFee), clock: seconds(), on: hash }
    const common = commonBlock(entry, number)
    while (common <= journal.mark() && (await journal.withdraw()));
    await journal.append(entry)
    const outcome = await outcomeOf(() => applyEntry(replica, entry)).catch((error) => {
      // Whether the lost node carried it out is unknown; a new one, which replays the journal, certainly does.
      if (error instanceof NodeLost) return supervisor.replace()
      throw error
    })
    const now = (await supervisor.alive()).replica
    ticker.follow(now.rules.mineEvery)
    justMined = now.head.number > number
    if (now.head.number >= snapshotDue) void inTurn(keepSnapshot).catch(complain)
    return outcome()
  }

  async function keepSnapshot(): Promise<void> {
    const live = supervisor.current()
    // Only right after a block: settings for the next block are not in the node's dumped state.
    if (!live || !justMined || live.replica.head.number < snapshotDue) return
    const snapshot = await snapshotOf(live.replica)
    if (!snapshot) return
    await journal.keep(snapshot, live.replica.head.number)
    snapshotDue = live.replica.head.number + BLOCKS_PER_SNAPSHOT
  }

  const chain: DurableChain = {
    rules: async () => (await alive()).replica.rules,
    async read(body) {
      for (let attempt = 1; ; attempt++) {
        const { node } = await alive()
        try {
          return await node.forward(body)
        } catch (error) {
          if (attempt === READ_ATTEMPTS) throw error
          await Promise.race([node.exited, node.call('eth_chainId', [])]).catch(() => node.kill())
        }
      }
    },
    change: (method, params) => inTurn(() => changeInTurn(method, params)),
    async keepUp(maximumAge, blocks) {
      if (!isBehindClock((await alive()).replica, seconds(), maximumAge)) return
      await inTurn(async () => {
        const { replica } = await supervisor.alive()
        if (isBehindClock(replica, seconds(), maximumAge)) await changeInTurn('anvil_mine', [blocks])
      })
    },
    pid: () => supervisor.current()?.node.pid ?? null,
    async stop() {
      ticker.follow(0)
      await inTurn(supervisor.stop)
      await journal.close()
    },
  }
  ticker.follow((await chain.rules()).mineEvery)
  return chain
}

/** The newest block that a reorg or rollback leaves. A replay cannot go back past the snapshot that it begins with. */
function commonBlock({ method, params }: Entry, head: number): number {
  if (!/_(reorg|rollback)$/.test(method)) return Number.POSITIVE_INFINITY
  const depth = Number(params[0])
  return Number.isNaN(depth) ? 0 : head - depth
}

/** Calls `tick` at the interval last given; 0 means never. */
function blockTicker(tick: () => void): { follow(everySeconds: number): void } {
  let current = 0
  let timer: NodeJS.Timeout | undefined
  return {
    follow(everySeconds) {
      if (everySeconds === current) return
      current = everySeconds
      clearInterval(timer)
      timer = everySeconds > 0 ? setInterval(tick, everySeconds * 1000).unref() : undefined
    },
  }
}
