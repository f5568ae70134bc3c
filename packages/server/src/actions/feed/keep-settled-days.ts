import { DAY } from '@guildhall/protocol'
import type { World } from '../../ports/world.ts'

const DAYS_AT_ONCE = 3

/** The last day whose payments are settled for good: a reorg after a whole day is very unlikely. */
export const lastQuietDay = ({ clock }: Pick<World, 'clock'>): number => Math.floor(clock.now() / DAY) - 2

/**
 * Stores the samples of paid tasks per day, so that the statistics need not read a year of tasks. Returns the number of days
 * stored. One node at a time does it.
 */
export async function keepSettledDays(world: Pick<World, 'store' | 'clock'>): Promise<number> {
  const last = lastQuietDay(world)
  if (((await world.store.keptDays()).through ?? -1) >= last) return 0
  return world.store.transaction(async (tx) => {
    const through = (await tx.lockKeptDays()).through ?? -1
    const first = through >= last ? null : await tx.firstPaidDay(through + 1)
    if (first === null || first > last) {
      if (through < last) await tx.keepThrough(last)
      return 0
    }
    const end = Math.min(first + DAYS_AT_ONCE, last + 1)
    for (const [day, samples] of await tx.stageSamples(first * DAY, end * DAY)) await tx.keepDay(day, samples)
    await tx.keepThrough(end - 1)
    return end - first
  })
}
