import { DAY, limits } from '@guildhall/protocol'
import type { Instant } from '../domain/instant.ts'
import type { StageSamples } from '../domain/settled/stage-times.ts'
import type { World } from '../ports/world.ts'

const DAYS_AT_ONCE = 3
const dayOf = (instant: Instant): number => Math.floor(instant / DAY)

/**
 * The samples of every task that was paid since a moment. Days that are over do not change any more (a chain may take a
 * payment back, but not after a day), so they are read once and kept; what lies at the two ends is read each time.
 */
export function createSettledSamples({ store, clock }: Pick<World, 'store' | 'clock'>) {
  const kept = new Map<number, StageSamples>()

  async function wholeDays(first: number, end: number): Promise<readonly StageSamples[]> {
    const days: StageSamples[] = []
    for (let day = first; day < end; day++) {
      if (!kept.has(day)) await readDays(day, Math.min(day + DAYS_AT_ONCE, end))
      const known = kept.get(day)
      if (known && known.tasks > 0) days.push(known)
    }
    return days
  }

  async function readDays(first: number, end: number): Promise<void> {
    const samples = await store.stageSamples(first * DAY, end * DAY)
    for (let day = first; day < end; day++) kept.set(day, samples.get(day) ?? NOTHING)
  }

  const forgetBefore = (day: number) => {
    for (const known of kept.keys()) if (known < day) kept.delete(known)
  }

  return async (since: Instant): Promise<readonly StageSamples[]> => {
    const unsettled = dayOf(clock.now()) - 1
    const first = dayOf(since) + 1
    forgetBefore(unsettled - limits.settled.windowDays.max - 1)
    if (first >= unsettled) return [...(await store.stageSamples(since, null)).values()]
    const oldest = await store.stageSamples(since, first * DAY)
    const newest = await store.stageSamples(unsettled * DAY, null)
    return [...oldest.values(), ...(await wholeDays(first, unsettled)), ...newest.values()]
  }
}

const NONE = new Float64Array()
const NOTHING: StageSamples = { tasks: 0, paid: NONE, claim: NONE, delivery: NONE, review: NONE }
