import { DAY, limits, SECOND } from '@guildhall/protocol'
import type { Instant } from '../../domain/instant.ts'
import { type StageTimes, stageTimes } from '../../domain/settled/stage-times.ts'
import type { World } from '../../ports/world.ts'
import { createSettledSamples } from './settled-samples.ts'

export type SettledStats = {
  readonly times: StageTimes
  readonly computedAt: Instant
  readonly paid: number
  readonly paidAtomic: bigint
}

type Known = {
  readonly times: StageTimes
  readonly computedAt: Instant
  /** How many tasks had been paid when it was computed. */
  readonly paid: number
  readonly tookMs: number
  readonly readAt: number
}

const KEPT_MS = limits.settled.cacheSeconds * SECOND
/** Medians outdated by a new payment are recomputed for at most one part in SPARING of the time. */
const SPARING = 20

/**
 * The totals are always exact. Medians are recomputed when a task has been paid since, at most every SPARING times their cost,
 * and after KEPT_MS in any case. One computation runs at a time, and callers share it.
 */
export function createSettledStats(world: Pick<World, 'store' | 'clock' | 'timer'>) {
  const { store, clock, timer } = world
  const samplesSince = createSettledSamples(world)
  const known = new Map<number, Known>()
  let lane: Promise<unknown> = Promise.resolve()

  const fresh = (windowDays: number, paid: number): Known | null => {
    const found = known.get(windowDays)
    if (found === undefined || Math.abs(clock.now() - found.computedAt) >= KEPT_MS) return null
    const isSpared = timer.elapsed() - found.readAt < found.tookMs * SPARING
    return found.paid === paid || isSpared ? found : null
  }

  const compute = async (windowDays: number, paid: number): Promise<Known> => {
    const waited = fresh(windowDays, paid)
    if (waited !== null) return waited
    const computedAt = clock.now()
    const began = timer.elapsed()
    const times = stageTimes(await samplesSince(computedAt - windowDays * DAY))
    const readAt = timer.elapsed()
    const computed = { times, computedAt, paid, tookMs: readAt - began, readAt }
    known.set(windowDays, computed)
    return computed
  }

  const inTurn = (work: () => Promise<Known>): Promise<Known> => {
    const turn = lane.then(work, work)
    lane = turn
    return turn
  }

  return async (windowDays: number): Promise<SettledStats> => {
    const { paid, paidAtomic } = await store.statusCounts()
    const current = fresh(windowDays, paid) ?? (await inTurn(() => compute(windowDays, paid)))
    return { times: current.times, computedAt: current.computedAt, paid, paidAtomic }
  }
}
