import { medianOf, type Sorted } from './median.ts'

export type Stage = 'paid' | 'claim' | 'delivery' | 'review'

/** Durations of the stages of paid tasks, in milliseconds; a task may lack a stage. */
export type StageSamples = { readonly tasks: number } & { readonly [S in Stage]: Sorted }

export type StageTime = { readonly samples: number; readonly medianMs: number | null }
export type StageTimes = { readonly tasks: number } & { readonly [S in Stage]: StageTime }

/** Each stage has its own samples and median. */
export function stageTimes(parts: readonly StageSamples[]): StageTimes {
  const time = (stage: Stage): StageTime => ({
    samples: parts.reduce((sum, part) => sum + part[stage].length, 0),
    medianMs: medianOf(parts.map((part) => part[stage])),
  })
  return {
    tasks: parts.reduce((sum, { tasks }) => sum + tasks, 0),
    paid: time('paid'),
    claim: time('claim'),
    delivery: time('delivery'),
    review: time('review'),
  }
}
