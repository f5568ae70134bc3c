import type { StageSamples } from '../domain/settled/stage-times.ts'

/** Days are counted since 1970. */
export type KeptDays = {
  /** The last day whose samples are stored; null before the first. */
  readonly through: number | null
  /** How often a payment was reorged away: cached samples are dropped when it changes. */
  readonly givenUp: number
}

export type SettledDayReads = {
  keptDays(): Promise<KeptDays>
  /** From day `first` up to, not including, `end`; days without payments are left out. */
  keptSamples(first: number, end: number): Promise<ReadonlyMap<number, StageSamples>>
  /** The first day from `since` on with a paid task. */
  firstPaidDay(since: number): Promise<number | null>
}

export type SettledDayWrites = {
  lockKeptDays(): Promise<KeptDays>
  keepDay(day: number, samples: StageSamples): Promise<void>
  keepThrough(day: number): Promise<void>
  /** A payment of this day was reorged away: the stored days from this one on are discarded. */
  giveUpDay(day: number): Promise<void>
}
