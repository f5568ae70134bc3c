import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Doors } from '../http/doors/doors.ts'
import type { AnsweredRequest } from '../http/router.ts'
import type { FigureStore, Figures, UnservedMoney } from '../ports/figure-store.ts'

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

/** The gauges by name, and where each value comes from; alerts and dashboards use these names. */
const GAUGES: Readonly<Record<string, { readonly help: string; readonly value: (figures: Figures) => number | null }>> =
  {
    guildhall_payments_waiting: {
      help: 'payments that are neither settled nor dead',
      value: ({ paymentsWaiting }) => paymentsWaiting,
    },
    guildhall_payment_oldest_seconds: {
      help: 'how long the oldest of them has waited',
      value: ({ oldestPaymentSeconds }) => oldestPaymentSeconds,
    },
    guildhall_timers_behind_seconds: {
      help: 'how far the jobs are behind the timers that are due',
      value: ({ timersBehindSeconds }) => timersBehindSeconds,
    },
    guildhall_payouts_paused: {
      help: '1 while payouts are paused',
      value: ({ payoutsPaused }) => Number(payoutsPaused),
    },
    guildhall_strays_waiting: {
      help: 'transfers that nobody asked for and that have not been sent back',
      value: ({ straysWaiting }) => straysWaiting,
    },
    guildhall_mails_waiting: { help: 'mails that have not left yet', value: ({ mailsWaiting }) => mailsWaiting },
    guildhall_mail_oldest_seconds: {
      help: 'how long the oldest of them has waited',
      value: ({ oldestMailSeconds }) => oldestMailSeconds,
    },
    guildhall_webhooks_waiting: {
      help: 'agents with events that have not been pushed to their address yet',
      value: ({ webhooksWaiting }) => webhooksWaiting,
    },
    guildhall_webhook_oldest_seconds: {
      help: 'how long the oldest of these events has waited, including while its address refuses it',
      value: ({ oldestPushSeconds }) => oldestPushSeconds,
    },
    guildhall_webhooks_behind_seconds: {
      help: 'how far the jobs are behind the pushes that are due',
      value: ({ pushesBehindSeconds }) => pushesBehindSeconds,
    },
    guildhall_ledger_sequence: {
      help: 'the newest entry of the ledger',
      value: ({ ledgerSequence }) => ledgerSequence,
    },
    guildhall_ledger_pending: { help: 'entries that are not sealed yet', value: ({ ledgerPending }) => ledgerPending },
    guildhall_ledger_checkpoint_seconds: {
      help: 'the age of the newest checkpoint',
      value: ({ checkpointSecondsAgo }) => checkpointSecondsAgo,
    },
  }

export function createMetrics(sources: Sources): Metrics {
  const registers = [new Registry()]
  const [registry] = registers as [Registry]
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'guildhall_http_request_seconds',
    help: 'answered requests by method, path template and status',
    labelNames: ['method', 'route', 'status'],
    buckets: SECONDS,
    registers,
  })
  const gauges = Object.entries(GAUGES).map(([name, { help, value }]) => ({
    gauge: new Gauge({ name, help, registers }),
    value,
  }))
  const difference = new Gauge({
    name: 'guildhall_custody_difference_atomic',
    help: 'what the chain holds beyond what the books explain; below zero money is missing',
    labelNames: ['network'],
    registers,
  })
  const proven = new Gauge({
    name: 'guildhall_custody_proven_seconds',
    help: 'how long ago chain and books were last found to agree',
    labelNames: ['network'],
    registers,
  })
  const unservedPayments = new Gauge({
    name: 'guildhall_unserved_payments',
    help: 'payments under way on networks that are not served: no job continues them',
    labelNames: ['network'],
    registers,
  })
  const unservedOwed = new Gauge({
    name: 'guildhall_unserved_owed_atomic',
    help: 'what escrow owes to others on networks that are not served',
    labelNames: ['network'],
    registers,
  })
  const pool = new Gauge({
    name: 'guildhall_database_connections',
    help: 'connections of this node that are open or idle, and calls that wait for one',
    labelNames: ['state'],
    registers,
  })
  const streams = new Gauge({ name: 'guildhall_event_streams', help: 'event streams open on this node', registers })
  const atDoors = new Gauge({
    name: 'guildhall_door_requests',
    help: 'requests on this node by kind of work: being worked on, or waiting in line',
    labelNames: ['door', 'state'],
    registers,
  })
  const turnedAway = new Counter({
    name: 'guildhall_door_turned_away_total',
    help: 'requests by kind of work that were told to retry later because the node was overloaded',
    labelNames: ['door'],
    registers,
  })
  const reachable = new Gauge({ name: 'guildhall_database_up', help: '1 while the figures can be read', registers })

  function show(figures: Figures, unserved: readonly UnservedMoney[]): void {
    for (const { gauge, value } of gauges) gauge.set(value(figures) ?? Number.NaN)
    for (const { network, ...wallet } of figures.custody) {
      difference.set({ network }, wallet.difference)
      proven.set({ network }, wallet.provenSecondsAgo ?? Number.NaN)
    }
    for (const gauge of [unservedPayments, unservedOwed]) gauge.reset()
    for (const { network, payments, owed } of unserved) {
      unservedPayments.set({ network }, payments)
      unservedOwed.set({ network }, Number(owed))
    }
  }

  function showDoors(): void {
    turnedAway.reset()
    for (const [door, counts] of Object.entries(sources.doors())) {
      atDoors.set({ door, state: 'at work' }, counts.atWork)
      atDoors.set({ door, state: 'in line' }, counts.inLine)
      turnedAway.inc({ door }, counts.turnedAway)
    }
  }

  /** One series per kind of answer: few, because Node limits the methods and routes are templates. */
  const kinds = new Map<string, Histogram.Internal<'method' | 'route' | 'status'>>()
  function kindOf(method: string, route: string, status: number) {
    const name = `${method} ${route} ${status}`
    const kind = kinds.get(name) ?? requests.labels(method, route, String(status))
    kinds.set(name, kind)
    return kind
  }

  return {
    contentType: registry.contentType,
    observe({ method, template, status, seconds }) {
      kindOf(method, template ?? 'nowhere', status).observe(seconds)
    },
    async text() {
      const read = await Promise.all([sources.figures(), sources.unserved()]).catch(() => null)
      reachable.set(Number(read !== null))
      if (read !== null) show(...read)
      for (const [state, count] of Object.entries(sources.pool())) pool.set({ state }, count)
      streams.set(sources.openStreams())
      showDoors()
      return registry.metrics()
    },
  }
}
