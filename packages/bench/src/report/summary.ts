import { type Aim, aims } from './aims.ts'
import type { Round } from './measure-round.ts'

export type Measured = ReadonlyMap<string, readonly Round[]>
export type LineSummary = Round & { readonly name: string; readonly rounds: readonly Round[] }
export type RatioSummary = Aim & { readonly ratio: number }
export type Summary = { readonly lines: readonly LineSummary[]; readonly ratios: readonly RatioSummary[] }

/** Medians over the rounds. Ratios are computed within each round first, so that a busy machine slows both sides alike. */
export function summarise(measured: Measured, boards: { readonly small: number; readonly large: number }): Summary {
  const lines = [...measured].map(([name, rounds]) => ({ name, rounds, ...medians(rounds) }))
  const ratios = aims(boards).flatMap((aim) => {
    const ratio = ratioOf(measured, aim)
    return ratio === null ? [] : [{ ...aim, ratio }]
  })
  return { lines, ratios }
}

const medians = (rounds: readonly Round[]): Round => ({
  requestsPerSecond: median(rounds.map(({ requestsPerSecond }) => requestsPerSecond)),
  p50Ms: median(rounds.map(({ p50Ms }) => p50Ms)),
  p99Ms: median(rounds.map(({ p99Ms }) => p99Ms)),
  cpuMicroseconds: median(rounds.map(({ cpuMicroseconds }) => cpuMicroseconds)),
  postgresMicroseconds: median(rounds.map(({ postgresMicroseconds }) => postgresMicroseconds)),
})

/** Null when one of the lines was not measured. */
function ratioOf(measured: Measured, { line, against }: Aim): number | null {
  const rounds = measured.get(line)
  const others = against.map((name) => measured.get(name))
  if (rounds === undefined || others.some((other) => other === undefined)) return null
  return median(
    rounds.map(({ requestsPerSecond }, nr) => {
      const rates = others.map((other) => other?.[nr]?.requestsPerSecond ?? Number.NaN)
      return requestsPerSecond / Math.min(...rates)
    }),
  )
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  const [low = Number.NaN, high = low] = sorted.slice(Math.ceil(middle) - 1, Math.floor(middle) + 1)
  return (low + high) / 2
}
