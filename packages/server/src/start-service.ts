import { publicKeyOf, SECOND } from '@guildhall/protocol'
import { foundRegistry } from './actions/agents/found-registry.ts'
import { openWatches } from './actions/custody/watch-wallets.ts'
import { checkStart } from './check-start.ts'
import type { Settings } from './config/settings.ts'
import { createClockCheck } from './create-clock-check.ts'
import { createLog } from './create-log.ts'
import { createTimer } from './create-timer.ts'
import { createWorld } from './create-world.ts'
import { houseKey } from './derived-keys.ts'
import { type Arrivals, createArrivals } from './http/arrivals.ts'
import { createDoors } from './http/doors/doors.ts'
import type { HttpServer } from './http/server.ts'
import { createEventStreams } from './http/streams/event-streams.ts'
import { followLedger } from './jobs/follow-ledger.ts'
import { type Jobs, startJobs } from './jobs/start-jobs.ts'
import { createFileHeadRecord } from './ledger/file-head-record.ts'
import { listen } from './listen.ts'
import { createMetrics } from './metrics/create-metrics.ts'
import { type MetricsServer, serveMetrics } from './metrics/serve-metrics.ts'
import { createMailer } from './outgoing/create-mailer.ts'
import { createEvmChain } from './payments/evm-chain.ts'
import type { Clock } from './ports/clock.ts'
import type { Log } from './ports/log.ts'
import type { Timer } from './ports/timer.ts'
import type { World } from './ports/world.ts'
import { connectSandbox } from './sandbox/sandbox-client.ts'
import { createPostgresStore } from './store/postgres-store.ts'

export type Service = {
  readonly url: string | null
  readonly world: World
  /** Finishes what is in progress, then closes everything. */
  stop(): Promise<void>
}

type Extras = { readonly log?: Log }

const UNREAD =
  'a setting is not used by this node: it is misspelt, or about something that is turned off or another role’s'
const GRACE_MS = 10 * SECOND
const RPC_TIMEOUT_MS = 5 * SECOND
const SYSTEM_CLOCK: Clock = { now: () => Date.now() }

/** Starts the parts that the node's role asks for, and checks first that they may serve. */
export async function startService(settings: Settings, extras: Extras = {}): Promise<Service> {
  const log = extras.log ?? createLog(settings.logLevel)
  for (const setting of settings.unread) log.warn(UNREAD, { setting })
  const sandbox = settings.sandboxControlUrl === null ? null : await connectSandbox(settings.sandboxControlUrl)
  const clock = sandbox?.clock ?? SYSTEM_CLOCK
  const timer = createTimer()
  const arrivals = createArrivals(timer)
  const { store, clockCheck } = openStore(settings, { timer, arrivals, log })
  const chain = createEvmChain({ networks: settings.networks, timeoutMs: RPC_TIMEOUT_MS })
  const record = createFileHeadRecord(settings.dataDir)
  const mailer = settings.mail === null ? null : createMailer(settings.mail)
  let jobs: Jobs | null = null
  const world = createWorld(settings, {
    clock,
    timer,
    log,
    store,
    chain,
    record,
    mailer,
    nudge: (due) => jobs?.nudge(due),
  })
  const doors = createDoors(settings.maxInFlight, timer)
  const streams = createEventStreams(world, { maxStreams: settings.maxStreams })
  const runsJobs = settings.role === 'worker' || settings.role === 'both'
  const served = settings.networks.map(({ network }) => network)
  // Only nodes with jobs matter here: to take a network out, operators first remove it from the others.
  const unservedMoney = async () => (runsJobs ? store.figures.unserved(served) : [])
  const metrics =
    settings.metrics &&
    createMetrics({
      figures: () => store.figures.figures(clock.now(), served),
      unserved: unservedMoney,
      pool: store.figures.pool,
      openStreams: streams.count,
      doors: doors.counts,
    })
  let metricsServer: MetricsServer | null = null
  try {
    const registry = publicKeyOf(settings.registryKey)
    const { whyNotReady, missingSettings } = store
    const { difference: clockDifference } = clockCheck
    await checkStart(world, { chain, settings, registryKey: registry, whyNotReady, missingSettings, clockDifference })
    if (settings.role !== 'reader') {
      await foundRegistry(world, { registry, house: publicKeyOf(houseKey(settings.registryKey)) })
      await openWatches(world)
      for (const { network, payments, owed } of await unservedMoney())
        log.alarm('money lies on a network that is not served', { network, payments, owed_atomic: String(owed) })
    }
    if (runsJobs) jobs = startJobs(world, clockCheck.holds)
    else if (settings.role === 'api') jobs = followLedger(world, clockCheck.holds)
    if (metrics && settings.metrics) metricsServer = await serveMetrics(metrics, settings.metrics)
    // Requests come last: after this nothing can fail and leave their port open.
    const server =
      settings.role === 'worker'
        ? null
        : await listen(settings, world, {
            control: sandbox?.control ?? null,
            doors,
            arrivals,
            streams,
            metrics,
            clockCheck,
          })
    log.info('ready', { url: server?.url ?? null, role: settings.role, mode: settings.mode })
    return { url: server?.url ?? null, world, stop: () => stop(server) }
  } catch (error) {
    await stop(null)
    throw error
  }

  async function stop(server: HttpServer | null): Promise<void> {
    streams.close()
    await server?.stop(GRACE_MS)
    if (jobs) await within(timer, GRACE_MS, jobs.stop())
    await metricsServer?.stop()
    mailer?.close()
    sandbox?.stop()
    await store.close()
    record.close()
  }
}

/** A node whose clock is wrong is not ready, whatever its database says. */
function openStore(
  { databaseUrl, poolSize, role, maxLagMs, maxClockSkewMs }: Settings,
  { timer, arrivals, log }: { timer: Timer; arrivals: Arrivals; log: Log },
) {
  const store = createPostgresStore({
    databaseUrl,
    maxConnections: poolSize,
    maxLagMs: role === 'reader' ? maxLagMs : null,
    whenHere: arrivals.whenHere,
    log,
  })
  const clockCheck = createClockCheck({
    machine: SYSTEM_CLOCK.now,
    elapsed: timer.elapsed,
    database: store.clock,
    log,
    maxMs: maxClockSkewMs,
  })
  return { store: { ...store, ready: async () => (await store.ready()) && clockCheck.holds() }, clockCheck }
}

/** A job that waits for an outside service is abandoned: its lease expires, and another node continues. */
const within = (timer: Timer, ms: number, work: Promise<void>): Promise<void> =>
  new Promise((resolve) => {
    const cancel = timer.after(ms, resolve)
    void work.finally(() => {
      cancel()
      resolve()
    })
  })
