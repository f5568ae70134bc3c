import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { consult } from '@guildhall/oracle'
import { type Chain, freePort, type Parts, startParts } from '@guildhall/sandbox'
import { createGuildhall, type Guildhall, type GuildhallOptions } from '@guildhall/sdk'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect } from 'vitest'
import { runUntilQuiet } from '../../src/actions/run-until-quiet.ts'
import type { Environment } from '../../src/config/environment-reader.ts'
import { readSettings } from '../../src/config/read-settings.ts'
import type { Clock } from '../../src/ports/clock.ts'
import { type Service, startService } from '../../src/start-service.ts'
import { type FreshDatabase, freshDatabase } from './database.ts'
import { insistingFetch } from './insisting-fetch.ts'
import { type Depths, nodeEnvironment } from './node-environment.ts'
import { until } from './until.ts'

export const BASE = 'eip155:8453'
export const POLYGON = 'eip155:137'
export const THIRD = 'eip155:5042'
export const ALL_NETWORKS = [BASE, POLYGON, THIRD] as const

/** A service node inside this process. */
export type Node = { readonly url: string; readonly service: Service }

type Options = {
  /** Without any, the service's time is this machine's. */
  readonly nodes?: number
  readonly openDatabase?: () => Promise<FreshDatabase>
  /** Each is a node to start: a story has those that it speaks of. */
  readonly networks?: readonly string[]
  readonly depths?: Depths
  readonly settings?: Environment
  /** Alarms that the story is about; any other fails it. */
  readonly alarms?: readonly string[]
  /** Invariants that the story breaks on purpose. */
  readonly violations?: readonly string[]
}

export type Stage = ReturnType<typeof setStage>

/**
 * Everything real for the stories of one file: a database, chains, a facilitator, and the service on them. When the
 * stories are told, the nodes stop and the oracle must have nothing to say.
 */
export function setStage({
  nodes = 1,
  openDatabase = freshDatabase,
  networks = [BASE],
  depths = { confirmations: 1, finality: 1 },
  settings = {},
  alarms = [],
  violations = [],
}: Options = {}) {
  const heard: string[] = []
  const log = {
    info() {},
    warn() {},
    alarm: (message: string, fields?: object) => void heard.push(`${message} ${JSON.stringify(fields)}`),
  }
  const running: Node[] = []
  let clock: Clock | null = null
  let directory: string
  let database: FreshDatabase
  let parts: Parts

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'guildhall-story-'))
    database = await openDatabase()
    parts = await startParts({ dataDir: directory, databaseUrl: database.url, networks, log: () => {} })
    for (let count = 0; count < nodes; count++) await startNode()
  })

  afterAll(async () => {
    const [first] = running
    if (first) await runUntilQuiet(first.service.world)
    const now = stage.now()
    await Promise.all(running.map(({ service }) => service.stop()))
    const said = await askOracle(now)
    await parts.stop()
    await database.drop()
    await rm(directory, { recursive: true, force: true })
    expect(said.filter(({ invariant }) => !violations.some((broken) => invariant.startsWith(broken)))).toEqual([])
    expect(heard.filter((alarm) => !alarms.some((expected) => alarm.startsWith(expected)))).toEqual([])
  })

  const askOracle = (now: number) =>
    consult({
      databaseUrl: database.url,
      networks: parts.chains,
      escrowWallet: stage.escrow.address,
      now,
    })

  async function startNode(more: Environment = {}): Promise<Node> {
    const port = await freePort()
    const dataDir = join(directory, `node-${port}`)
    const environment = nodeEnvironment(parts, { port, dataDir, depths, settings: { ...settings, ...more } })
    const service = await startService(readSettings(environment), { log })
    const node = { url: `http://127.0.0.1:${port}`, service }
    running.push(node)
    clock ??= service.world.clock
    return node
  }

  const allClocksAt = (wanted: number) =>
    until(
      async () => running.map(({ service }) => service.world.clock.now()),
      (clocks) => clocks.every((clock) => clock >= wanted),
    )

  const stage = {
    get parts(): Parts {
      return parts
    },
    get databaseUrl(): string {
      return database.url
    },
    get alarms(): readonly string[] {
      return heard
    },
    /** The wallet that holds the deposits. */
    get escrow(): PrivateKeyAccount {
      return privateKeyToAccount(parts.keys.escrow)
    },
    startNode,
    async stopNode(node: Node): Promise<void> {
      running.splice(running.indexOf(node), 1)
      await node.service.stop()
    },
    node(place = 0): Node {
      const node = running[place]
      if (!node) throw new Error(`There is no node ${place}.`)
      return node
    },
    chain(network = BASE): Chain {
      const chain = parts.chains.find((candidate) => candidate.network === network)
      if (!chain) throw new Error(`There is no chain ${network}.`)
      return chain
    },
    /** The service's time. */
    now: (): number => clock?.now() ?? Date.now(),
    /** A client of a node, whose clock is the service's; it sends once, so that every answer is seen but that a node is too busy. */
    client: (options: Partial<GuildhallOptions> & { readonly node?: number } = {}): Guildhall =>
      createGuildhall({
        clock: stage.now,
        attempts: 1,
        fetch: insistingFetch,
        ...options,
        baseUrl: options.baseUrl ?? stage.node(options.node).url,
      }),
    /** Moves every clock; whatever fell due has happened when it returns. */
    async travel(ms: number): Promise<void> {
      await stage.client().sandbox.moveClock(Math.ceil(ms / 1000))
      await allClocksAt(stage.now())
    },
    /** Moves every clock and leaves what fell due to whoever comes first. */
    async moveClocks(ms: number): Promise<void> {
      const wanted = stage.now() + Math.floor(ms / 1000) * 1000
      const body = JSON.stringify({ seconds: Math.floor(ms / 1000) })
      await fetch(`${parts.controlUrl}/clock`, { method: 'POST', body })
      await allClocksAt(wanted)
    },
    /** Does what is due now, on one node. */
    runDue: (place = 0): Promise<void> => runUntilQuiet(stage.node(place).service.world),
    askOracle: () => askOracle(stage.now()),
  }
  return stage
}
