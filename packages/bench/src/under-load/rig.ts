import { inTurn } from '../lines/line.ts'
import { type Arrived, arrive } from '../load/arrive.ts'
import { type Driven, drive } from '../load/drive.ts'
import { comparedSeconds, type Plan } from '../plan.ts'
import type { Lateness } from '../stage/start-process.ts'
import type { Stage } from '../stage/start-stage.ts'
import { untilQuiet } from '../stage/until-quiet.ts'
import { createMix, readAny } from './mix.ts'

/** What became of the requests, and how late the service's timers ran meanwhile. */
export type Loaded = Arrived & { readonly lateness: Lateness }

/** Runs the mix against the service. */
export type Rig = {
  /** Requests per second with every connection busy, as first measured. */
  peak(): Promise<number>
  /** The same, measured now: a machine's speed varies. */
  peakNow(): Promise<number>
  /** `perSecond` requests a second for `seconds`, without waiting for answers. */
  load(perSecond: number, seconds: number): Promise<Loaded>
  /** Keeps every connection busy for `seconds`; returns the number of requests. */
  busy(seconds: number): Promise<number>
  /** Reads `count` tasks, drawn at random each time. */
  readMany(count: number): Promise<void>
}

/** The longest wait in the service's queue: with a connection for each arrival within it, no arrival waits for a connection. */
const LONGEST_WAIT_SECONDS = 2
const SPARE = 1.3
const READING_MS = 60_000

export function createRig(plan: Plan, stage: Stage): Rig {
  const { server, database } = stage.large
  const mix = createMix(plan, stage)
  const prepared = async (count: number) => {
    const arrivals = await mix(Math.ceil(count * SPARE))
    await untilQuiet(database)
    return arrivals
  }
  const closedLoop = async (guess: number, seconds: number) => {
    const arrivals = await prepared(guess * seconds)
    const next = inTurn(arrivals.map(({ step }) => [step]))
    const { url } = server
    return drive({ url, connections: plan.connections, mostMs: seconds * 1_000, next })
  }
  const rateOf = ({ count, seconds }: Driven) => count / seconds
  const measurePeak = async () => {
    const guess = rateOf(await closedLoop(plan.guessedPeak, 1))
    return rateOf(await closedLoop(2 * guess, plan.loadSeconds))
  }
  let peak: Promise<number> | null = null
  const measuredPeak = () => {
    peak ??= measurePeak()
    return peak
  }
  return {
    peak: measuredPeak,
    peakNow: async () => rateOf(await closedLoop(await measuredPeak(), comparedSeconds(plan))),
    busy: async (seconds) => (await closedLoop(await measuredPeak(), seconds)).count,
    async readMany(count) {
      const steps = Array.from({ length: count }, () => [readAny(plan.largeBoard)])
      await drive({ url: server.url, connections: plan.connections, mostMs: READING_MS, next: inTurn(steps) })
    },
    async load(perSecond, seconds) {
      const next = inTurn(await prepared(perSecond * seconds))
      const connections = Math.ceil(perSecond * LONGEST_WAIT_SECONDS)
      const { done, lateness } = await server.watchedDuring(() =>
        arrive({ url: server.url, perSecond, seconds, connections, next }),
      )
      await untilQuiet(database)
      return { ...done, lateness }
    },
  }
}
