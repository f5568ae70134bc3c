import { DAY, limits } from '@guildhall/protocol'
import type { Instant } from '../../domain/instant.ts'
import type { StageSamples } from '../../domain/settled/stage-times.ts'
import type { World } from '../../ports/world.ts'
import { lastQuietDay } from './keep-settled-days.ts'

const KEPT_DAYS_AT_ONCE = 50
const DAYS_AT_ONCE = 3
const dayOf = (instant: Instant): number => Math.floor(instant / DAY)

/**
 * The samples of every task paid since a moment. Past days no longer change, so they are read once, from the stored days where
 * possible, and cached; the partial days at both ends are read each time.
 */
export function createSettledSamples(world: Pick<World, 'store' | 'clock'>) {
  const { store } = world
  const known = new Map<number, StageSamples>()
  let givenUp = 0

  async function wholeDays(first: number, end: number): Promise<readonly StageSamples[]> {
    const kept = await store.keptDays()
    if (kept.givenUp !== givenUp) known.clear()
    givenUp = kept.givenUp
    const days: StageSamples[] = []
    for (let day = first; day < end; day++) {
      if (!known.has(day)) await readDays(day, end, kept.through ?? -1)
      const samples = known.get(day)
      if (samples && samples.tasks > 0) days.push(samples)
    }
    return days
  }

  async function readDays(first: number, last: number, through: number): Promise<void> {
    const isKept = first <= through
    const end = Math.min(last, isKept ? Math.min(first + KEPT_DAYS_AT_ONCE, through + 1) : first + DAYS_AT_ONCE)
    const samples = isKept ? await store.keptSamples(first, end) : await store.stageSamples(first * DAY, end * DAY)
    for (let day = first; day < end; day++) known.set(day, samples.get(day) ?? NOTHING)
  }

  const forgetBefore = (day: number) => {
    for (const one of known.keys()) if (one < day) known.delete(one)
  }

  return async (since: Instant): Promise<readonly StageSamples[]> => {
    const unsettled = lastQuietDay(world) + 1
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
