import { endpoints } from '@guildhall/protocol'
import { manageHire } from './actions/hires/manage-hire.ts'
import { countTry, holdKey, keepAnswer, releaseKey } from './actions/hold-key.ts'
import type { Settings } from './config/settings.ts'
import type { ClockCheck } from './create-clock-check.ts'
import { derivedKey } from './derived-keys.ts'
import { discoveryPages } from './discovery/discovery-pages.ts'
import { publishedBy } from './discovery/published.ts'
import type { Arrivals } from './http/arrivals.ts'
import { createKeptDocuments } from './http/documents/kept-documents.ts'
import type { Doors } from './http/doors/doors.ts'
import { createHandlers } from './http/handlers/index.ts'
import { createRouter } from './http/router.ts'
import { type HttpServer, startHttpServer } from './http/server.ts'
import type { EventStreams } from './http/streams/event-streams.ts'
import type { Metrics } from './metrics/create-metrics.ts'
import { accountPages } from './pages/account-pages.ts'
import { consolePages } from './pages/console/console-pages.ts'
import { publicPages } from './pages/public-pages.ts'
import { signInPages } from './pages/sign-in-pages.ts'
import { sitePages } from './pages/site-pages.ts'
import type { World } from './ports/world.ts'

/** In addition to event streams, which stay open for long and have a limit of their own. */
const REQUEST_CONNECTIONS = 10_000

type Listening = {
  readonly control: Parameters<typeof createHandlers>[1]
  readonly doors: Doors
  readonly arrivals: Arrivals
  readonly streams: EventStreams
  readonly metrics: Metrics | null
  readonly clockCheck: ClockCheck
}

/** Answers requests on the port of the settings. */
export const listen = (
  settings: Settings,
  world: World,
  { control, doors, arrivals, streams, metrics, clockCheck }: Listening,
): Promise<HttpServer> => {
  const site = { world, mailUrl: control?.places.mailUrl ?? null }
  const documents = createKeptDocuments({ now: () => performance.now(), prove: settings.checkAnswers })
  const router = createRouter({
    endpoints,
    handlers: createHandlers(world, control, streams, documents),
    pages: [
      ...discoveryPages(publishedBy(world, control !== null)),
      ...signInPages(site),
      ...accountPages(site),
      ...sitePages(site),
      ...publicPages(site, documents),
      ...consolePages(world, control?.places.networks ?? null),
    ],
    findAgent: (id) => world.store.agent(id),
    findManager: (taskId, action, proof) => manageHire(world, taskId, action, proof),
    findSession: (hash, now) => world.store.sessionOf(hash, now),
    baseUrl: settings.baseUrl,
    serviceName: settings.serviceName,
    repetition: {
      secret: derivedKey('guildhall kept answers', settings.registryKey),
      hold: (key) => holdKey(world, key),
      keep: (held, sealed) => keepAnswer(world, held, sealed),
      release: (held) => releaseKey(world, held),
      countTry: (payment) => countTry(world, payment),
    },
    hit: (key, now, windowMs) => world.store.transaction((tx) => tx.hit(key, now, windowMs)),
    window: (key) => world.store.rateWindow(key),
    now: () => world.clock.now(),
    timer: world.timer,
    mayChange: clockCheck.holds,
    log: world.log,
    sandbox: control !== null,
    registrationLimited: settings.registrationLimited,
    trustedProxies: settings.trustedProxies,
    doors,
    arrivals,
    accessLog: settings.logLevel === 'debug' || settings.logLevel === 'info',
    checkAnswers: settings.checkAnswers,
    ...(metrics === null ? {} : { observe: metrics.observe }),
  })
  return startHttpServer({
    port: settings.port,
    host: settings.host,
    router,
    log: world.log,
    maxConnections: REQUEST_CONNECTIONS + settings.maxStreams,
    drainMs: settings.drainMs,
  })
}
