import { appendFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { environmentOn } from '@guildhall/cli/src/service-environment.ts'
import { freePort, type Parts, type Postgres, startParts, startPostgres } from '@guildhall/sandbox'
import { createLog, migrate } from '@guildhall/server/desk'
import { until } from '../until.ts'
import { mountSmallDisk, type SmallDisk } from './small-disk.ts'
import { type ServiceNode, startNode } from './start-node.ts'

/** The whole service on this machine, as processes that can be killed. */
export type Stage = {
  readonly parts: Parts
  readonly postgres: Postgres
  /** The small disk of the database, if one was asked for. */
  readonly disk: SmallDisk | null
  readonly nodes: readonly [ServiceNode, ServiceNode]
  /** Takes no requests; runs the background jobs along with the nodes. */
  readonly worker: ServiceNode
  /** The directory of data and logs. */
  readonly directory: string
  /** The service's time. */
  now(): number
  /** Moves the clock of every running process; any of them may do what falls due. */
  moveClock(seconds: number): Promise<void>
  /** Whether everything answers again within `withinMs`. */
  recovers(withinMs: number): Promise<boolean>
  /** Stops everything; files are deleted unless `keepFiles`. */
  stop(keepFiles: boolean): Promise<void>
}

const HOST = '127.0.0.1'
const START_MS = 180_000
/** Enough for an hour of load. */
const DISK_MEGABYTES = 256

export async function startStage({ smallDisk }: { readonly smallDisk: boolean }): Promise<Stage> {
  const directory = await mkdtemp(join(tmpdir(), 'guildhall-chaos-'))
  const stops: (() => Promise<unknown>)[] = []
  const stop = async (keepFiles: boolean) => {
    for (const end of stops.splice(0).reverse()) await end()
    if (!keepFiles) await rm(directory, { recursive: true, force: true })
  }
  try {
    return { ...(await startEach(directory, stops, smallDisk)), stop }
  } catch (error) {
    await stop(true)
    throw error
  }
}

async function startEach(
  directory: string,
  stops: (() => Promise<unknown>)[],
  smallDisk: boolean,
): Promise<Omit<Stage, 'stop'>> {
  const logTo = (name: string) => (line: string) =>
    appendFileSync(join(directory, 'chaos.log'), `${new Date().toISOString()} ${name}: ${line}\n`)
  const disk = smallDisk ? await mountSmallDisk(join(directory, 'disk'), DISK_MEGABYTES) : null
  if (disk) stops.push(disk.unmount)
  const postgres = await startPostgres({
    dataDir: join(disk?.directory ?? directory, 'postgres'),
    log: logTo('postgres'),
    settings: disk ? { min_wal_size: '32MB', max_wal_size: '48MB' } : {},
  })
  stops.push(postgres.stop)
  const parts = await startParts({ dataDir: directory, databaseUrl: postgres.url, log: logTo('parts') })
  stops.push(parts.stop)
  await migrate(postgres.url, createLog('warn'))

  const start = async (name: string, settings: NodeJS.ProcessEnv = {}) => {
    const port = await freePort()
    const environment = { ...environmentOf(parts, { name, port, directory }), ...settings }
    const node = startNode({ name, url: `http://${HOST}:${port}`, environment, log: logTo(name) })
    stops.push(node.stop)
    return node
  }
  const nodes = [await start('node 1'), await start('node 2')] as const
  const worker = await start('worker', { GUILDHALL_ROLE: 'worker', GUILDHALL_LOG_LEVEL: 'info' })
  const recovers = (withinMs: number) =>
    until(async () => {
      const pids = [postgres.pid(), parts.facilitatorPid(), ...parts.chains.map((chain) => chain.pid())]
      const healthy = await Promise.all([...nodes, worker].map((node) => node.isHealthy()))
      return pids.every((pid) => pid !== null) && healthy.every(Boolean)
    }, withinMs)
  if (!(await recovers(START_MS))) throw new Error(`The service did not start; ${directory}/chaos.log says why.`)

  let offsetMs = 0
  const moveClock = async (seconds: number) => {
    const moved = await fetch(`${parts.controlUrl}/clock`, { method: 'POST', body: JSON.stringify({ seconds }) })
    offsetMs = ((await moved.json()) as { offsetMs: number }).offsetMs
  }
  return { parts, postgres, disk, nodes, worker, directory, now: () => Date.now() + offsetMs, moveClock, recovers }
}

const environmentOf = (
  parts: Parts,
  node: { readonly name: string; readonly port: number; readonly directory: string },
): NodeJS.ProcessEnv => ({
  ...environmentOn(parts, {
    host: HOST,
    port: node.port,
    nodeDir: join(node.directory, node.name.replace(' ', '-')),
  }),
  // As in production, where a process that wakes up late still has the right time.
  GUILDHALL_MAX_CLOCK_SKEW_MS: '5000',
  // Compiling TypeScript is most of a start; the cache is shared between processes.
  NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache'),
})
