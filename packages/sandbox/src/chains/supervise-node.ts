import { applyEntry } from './apply-entry.ts'
import type { Journal } from './journal.ts'
import { type Entry, openReplica, type Replica, type ReplicaSnapshot } from './replica.ts'
import { NodeLost } from './rpc-error.ts'
import type { Anvil } from './start-anvil.ts'

/** A node with everything in the journal applied to it. */
export type LiveNode = { readonly node: Anvil; readonly replica: Replica }

/** Returns the result of a call, or throws the node's error. */
export type Outcome = () => unknown

/** Keeps one node running. Its methods must be called in the queue of changes, because they replay the journal. */
export type NodeSupervisor = {
  current(): LiveNode | null
  /** The running node, started and restored first if there is none. */
  alive(): Promise<LiveNode>
  /** Ends the node and restores another; returns the outcome of the journal's last entry. */
  replace(): Promise<Outcome>
  stop(): Promise<void>
}

const ATTEMPTS = 3

export function superviseNode(options: {
  readonly name: string
  readonly start: () => Promise<Anvil>
  readonly journal: Journal<ReplicaSnapshot, Entry>
  readonly log: (line: string) => void
  readonly onLost: () => void
}): NodeSupervisor {
  const { name, start, journal, log, onLost } = options
  let live: LiveNode | null = null
  let stopping = false

  async function restore(): Promise<Outcome> {
    const node = await start()
    try {
      const { snapshot, entries } = await journal.load()
      const replica = await openReplica(node.call, snapshot)
      let outcome: Outcome = () => undefined
      for (const entry of entries) {
        if (entry.on !== replica.head.hash)
          log(`${name}: block ${replica.head.number} came out different in the replay`)
        outcome = await outcomeOf(() => applyEntry(replica, entry)).catch(async (error) => {
          // A call that breaks off while the node lives on does so every time: that is its outcome.
          await node.call('eth_chainId', [])
          return () => {
            throw error
          }
        })
      }
      live = { node, replica }
      void node.exited.then(() => lose(node))
      return outcome
    } catch (error) {
      await node.kill()
      throw error
    }
  }

  async function restoreStubbornly(): Promise<Outcome> {
    for (let attempt = 1; ; attempt++) {
      if (stopping) throw new NodeLost(`${name} is stopping.`)
      try {
        return await restore()
      } catch (error) {
        if (attempt === ATTEMPTS || !(error instanceof NodeLost)) throw error
      }
    }
  }

  function lose(node: Anvil): void {
    if (live?.node !== node) return
    live = null
    if (stopping) return
    log(`${name}: the node ended and is started again`)
    onLost()
  }

  async function end(): Promise<void> {
    const ended = live
    live = null
    await ended?.node.kill()
  }

  return {
    current: () => live,
    async alive() {
      if (!live) await restoreStubbornly()
      if (!live) throw new NodeLost(`${name} does not answer.`)
      return live
    },
    async replace() {
      await end()
      return restoreStubbornly()
    },
    async stop() {
      stopping = true
      await end()
    },
  }
}

/** A lost node is not an outcome: NodeLost is thrown at once. */
export async function outcomeOf(work: () => Promise<unknown>): Promise<Outcome> {
  try {
    const result = await work()
    return () => result
  } catch (error) {
    if (error instanceof NodeLost) throw error
    return () => {
      throw error
    }
  }
}
