import { MINUTE, SECOND } from '@guildhall/protocol'
import {
  type Chain,
  createLedger,
  type EscrowSigner,
  type HeadRecord,
  LedgerBehindError,
  openWatches,
  type RecordedHead,
  runDue,
  StoreUnavailableError,
  type World,
  watchWallets,
} from '@guildhall/server/parts'
import { seamsOf } from './bugs.ts'
import { createRpc, type RpcFaults, SOUND_RPC } from './chain/rpc.ts'
import { signatureOf } from './chain/signatures.ts'
import { createFacilitator } from './chain/simulated-facilitator.ts'
import { type Day, ESCROW_WALLET } from './day.ts'
import { nextDue } from './next-due.ts'
import type { Life } from './time/scheduler.ts'

/** A node of the service across all of its restarts. */
export type Node = {
  readonly name: string
  readonly rpc: RpcFaults
  life: Life | null
  world: World | null
  /** Callbacks for callers that wait for an answer which will never come. */
  readonly lost: Set<() => void>
  start(): Promise<void>
  crash(): void
  freeze(ms: number): void
  /** The newest entry of the ledger that it has sealed or seen, as far as its own disk says. */
  recorded(): RecordedHead | null
  /** Its disk is lost with what it had recorded. */
  forget(): void
}

const IDLE_IN_TRANSACTION_MS = 5 * SECOND
const LOOK_EVERY_MS = SECOND / 4
/** The largest clock error of a node: far more than synchronised clocks have. */
export const MOST_SKEW_MS = 5 * SECOND

export function createNode(day: Day, name: string): Node {
  const { scheduler, chance, database, chains, facilitator, rules } = day
  let recorded: RecordedHead | null = null
  /** A node's own disk survives its crash. */
  const record: HeadRecord = {
    read: () => recorded,
    write: (head) => {
      recorded = head
    },
    keepCheckpoint: async () => {},
  }
  const rpc: RpcFaults = { ...SOUND_RPC }
  const skew = chance.happens(0.5) ? 0 : chance.below(2 * MOST_SKEW_MS) - MOST_SKEW_MS
  const networks = new Map(
    rules.networks.flatMap((served) => {
      const chain = chains.get(served.network)
      return chain ? [[served.network, { chain, served }] as const] : []
    }),
  )

  function worldOf(life: Life): { world: World; jobs: () => Promise<void> } {
    const clock = { now: () => scheduler.now() + skew }
    const timer = {
      elapsed: () => scheduler.now(),
      after: (ms: number, ring: () => void) => scheduler.after(life, ms, ring),
    }
    const log = logOf(day, life)
    const store = database.storeFor(life)
    let wake: () => void = () => {}
    const ports = seamsOf(day.bug, chance).ports({
      clock,
      chain: createRpc(scheduler, chance, life, networks, rpc) as Chain,
      facilitator: createFacilitator(scheduler, chance, life, chains, facilitator, day.tell),
    })
    // The omitted parts are not used on a simulated day.
    const world = {
      ...ports,
      clock,
      timer,
      random: { bytes: (count) => chance.bytes(count), uuid: () => Buffer.from(chance.bytes(16)).toString('hex') },
      log,
      store,
      ledger: createLedger({ store, clock, timer, log, record, attest: () => 'not signed' }),
      escrow: escrowSigner(day, life),
      failpoints: { reach: async (place) => void (await scheduler.step(life, place, () => {})) },
      rules,
      nudge: () => wake(),
    } as World
    const sleep = (ms: number) =>
      new Promise<void>((resolve) => {
        const stop = scheduler.after(life, ms, resolve)
        wake = () => {
          stop()
          resolve()
        }
      })
    return { world, jobs: () => jobsOf(day, world, sleep) }
  }

  const node: Node = {
    name,
    rpc,
    life: null,
    world: null,
    lost: new Set(),
    async start() {
      const life: Life = { name, alive: true, frozenUntil: 0 }
      const { world, jobs } = worldOf(life)
      node.life = life
      // A failed start is retried, as a process supervisor does.
      for (let isUp = false; !isUp; ) {
        try {
          await world.ledger.check()
          await openWatches(world)
          isUp = true
        } catch (error) {
          noteSurprise(day, 'start', error)
          await scheduler.pause(life, SECOND)
        }
      }
      node.world = world
      day.tell(() => `${name} is up`)
      void jobs()
    },
    crash() {
      if (!node.life) return
      node.life.alive = false
      database.abandon(node.life)
      node.life = null
      node.world = null
      day.tell(() => `${name} crashes`)
      for (const tell of node.lost) void scheduler.step(null, 'connection lost', tell)
      node.lost.clear()
    },
    recorded: () => recorded,
    forget() {
      recorded = null
    },
    freeze(ms) {
      const { life } = node
      if (!life) return
      life.frozenUntil = scheduler.now() + ms
      day.tell(() => `${name} is frozen for ${Math.round(ms / 1000)} s`)
      if (ms > IDLE_IN_TRANSACTION_MS) scheduler.after(null, IDLE_IN_TRANSACTION_MS, () => database.abandon(life))
    },
  }
  return node
}

/** Looks for work like a node's jobs, but sleeps while nothing can be due. */
async function jobsOf(day: Day, world: World, sleep: (ms: number) => Promise<void>): Promise<void> {
  // On an older copy of the database nothing may be written any more.
  while (world.ledger.isTrusted()) {
    let done = 0
    try {
      done = await runDue(world)
      done += await watchWallets(world)
      done += (await world.ledger.attestHead()) ? 1 : 0
    } catch (error) {
      noteSurprise(day, 'jobs', error)
    }
    const now = day.scheduler.now()
    const wait = done > 0 ? 0 : nextDue(day.database.tables, now) - now
    await sleep(Math.max(LOOK_EVERY_MS, wait) + day.chance.below(done > 0 ? 20 : MINUTE / 4))
  }
}

const escrowSigner = ({ scheduler, chance, signer }: Day, life: Life): EscrowSigner => ({
  address: ESCROW_WALLET,
  async sign({ transferId, authorization }) {
    for (const watch of signer.onSign) watch(transferId)
    await scheduler.pause(life, chance.below(SECOND / 2))
    return scheduler.step(life, 'sign', () =>
      signer.busy > 0 && chance.happens(signer.busy)
        ? { kind: 'refused', reason: 'the key service is busy' }
        : { kind: 'signed', signature: signatureOf(ESCROW_WALLET, authorization) },
    )
  },
})

/** Who has crashed in the middle of a tick says no more in what is left of it. */
function logOf(day: Day, life: Life): World['log'] {
  const { name } = life
  const words = (fields: object = {}) =>
    JSON.stringify(fields, (_, value) => (typeof value === 'bigint' ? String(value) : value))
  return {
    info: () => {},
    warn(message, fields) {
      if (!life.alive) return
      day.tell(() => `${name} warns: ${message} ${words(fields)}`)
      const error = String(fields?.error ?? '')
      if (error !== '' && !isExpected(error)) day.surprises.push(`${message}: ${error}`)
    },
    alarm(message, fields) {
      if (!life.alive) return
      day.tell(() => `${name} ALARM: ${message} ${words(fields)}`)
      const error = String(fields?.error ?? '')
      const isHarmless = day.explained.has(message) || (error !== '' && isExpected(error)) || isOfOlderCopy(day, error)
      if (!isHarmless) day.surprises.push(`alarm: ${message} ${words(fields)}`)
    },
  }
}

const EXPECTED = /PostgreSQL|commit was lost|lock timeout|transactions in conflict/
const isExpected = (message: string): boolean => EXPECTED.test(message)
const isOfOlderCopy = ({ isRestored }: Day, error: string): boolean =>
  isRestored && error.startsWith(`${LedgerBehindError.name}:`)

export function noteSurprise(day: Day, what: string, error: unknown): void {
  if (error instanceof StoreUnavailableError || (day.isRestored && error instanceof LedgerBehindError)) return
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
  day.surprises.push(`${what}: ${message}`)
}
