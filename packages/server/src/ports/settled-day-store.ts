import type { StageSamples } from '../domain/settled/stage-times.ts'

/** Days are counted since 1970. */
export type KeptDays = {
  /** Up to this day samples are kept; null before the first. */
  readonly through: number | null
  /** How often a stored day was discarded: cached samples are dropped when it changes. */
  readonly givenUp: number
}

export type SettledDayReads = {
  keptDays(): Promise<KeptDays>
  /** From a day to before another; a day on which nothing was paid is left out. */
  keptSamples(first: number, end: number): Promise<ReadonlyMap<number, StageSamples>>
  /** The first day since this one on which a task was paid. */
  firstPaidDay(since: number): Promise<number | null>
}

export type SettledDayWrites = {
  lockKeptDays(): Promise<KeptDays>
  keepDay(day: number, samples: StageSamples): Promise<void>
  keepThrough(day: number): Promise<void>
  /** A payment of this day was taken back: what is kept from then on is read anew. */
  giveUpDay(day: number): Promise<void>
}
