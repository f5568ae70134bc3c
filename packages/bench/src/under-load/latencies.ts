import type { Outcome } from '../load/arrive.ts'
import { percentile } from '../report/measure-round.ts'

export type Latencies = { readonly p50: number; readonly p99: number }

export function latenciesOf(outcomes: readonly Outcome[], wanted: (outcome: Outcome) => boolean): Latencies {
  const sorted = Float64Array.from(outcomes.filter(wanted), ({ ms }) => ms).sort()
  return { p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99) }
}

export const inMs = (value: number): string => `${value.toFixed(value < 10 ? 1 : 0)} ms`
export const perSecond = (value: number): string => `${Math.round(value).toLocaleString('en')}/s`
