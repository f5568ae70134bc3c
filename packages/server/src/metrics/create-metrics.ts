import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { AnsweredRequest } from '../http/answered-request.ts'
import type { Doors } from '../http/doors/doors.ts'
import type { FigureStore, Figures, UnservedMoney } from '../ports/figure-store.ts'
import { registerGauges } from './gauge-table.ts'
import { NODE_GAUGES } from './node-gauges.ts'
import { STORED_GAUGES } from './stored-gauges.ts'

export type Metrics = {
  observe(answered: AnsweredRequest): void
  /** All metrics in the Prometheus text format. */
  text(): Promise<string>
  readonly contentType: string
}

type Sources = {
  readonly figures: () => Promise<Figures>
  readonly unserved: () => Promise<readonly UnservedMoney[]>
  readonly pool: FigureStore['pool']
  readonly openStreams: () => number
  readonly doors: Doors['counts']
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export function createMetrics(sources: Sources): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const observe = registerRequests(registry)
  const showStored = registerGauges(STORED_GAUGES, registry)
  const showNode = registerGauges(NODE_GAUGES, registry)
  const turnedAway = new Counter({
    name: 'guildhall_door_turned_away_total',
    help: 'requests by kind of work that were told to retry later because the node was overloaded',
    labelNames: ['door'],
    registers,
  })
  const reachable = new Gauge({ name: 'guildhall_database_up', help: '1 while the figures can be read', registers })

  return {
    contentType: registry.contentType,
    observe,
    async text() {
      const read = await Promise.all([sources.figures(), sources.unserved()]).catch(() => null)
      reachable.set(Number(read !== null))
      if (read !== null) showStored({ figures: read[0], unserved: read[1] })
      const doors = sources.doors()
      showNode({ pool: sources.pool(), openStreams: sources.openStreams(), doors })
      turnedAway.reset()
      for (const [door, counts] of Object.entries(doors)) turnedAway.inc({ door }, counts.turnedAway)
      return registry.metrics()
    },
  }
}

function registerRequests(registry: Registry): Metrics['observe'] {
  const requests = new Histogram({
    name: 'guildhall_http_request_seconds',
    help: 'answered requests by method, path template and status',
    labelNames: ['method', 'route', 'status'],
    buckets: SECONDS,
    registers: [registry],
  })
  /** One series per kind of answer: few, because Node limits the methods and routes are templates. */
  const kinds = new Map<string, Histogram.Internal<'method' | 'route' | 'status'>>()
  function kindOf(method: string, route: string, status: number) {
    const name = `${method} ${route} ${status}`
    const kind = kinds.get(name) ?? requests.labels(method, route, String(status))
    kinds.set(name, kind)
    return kind
  }
  return ({ method, template, status, seconds }) => kindOf(method, template ?? 'nowhere', status).observe(seconds)
}
