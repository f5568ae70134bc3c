import type { Line } from './lines/line.ts'
import { paidLine } from './lines/paid-line.ts'
import { readLines } from './lines/read-lines.ts'
import { writeLines } from './lines/write-lines.ts'
import type { Plan } from './plan.ts'
import { measureRound, type Round } from './report/measure-round.ts'
import { type Summary, summarise } from './report/summary.ts'
import { BASELINES } from './stage/start-baseline.ts'
import { type Stage, startStage } from './stage/start-stage.ts'

export type Bench = {
  readonly plan: Plan
  /** Parts of names; empty: all lines. Baselines are always measured. */
  readonly only?: readonly string[]
  readonly tell?: (line: string) => void
  readonly signal?: AbortSignal
}

/** Starts everything, measures all lines in turn, round after round, and stops everything again. */
export async function runBench({ plan, only = [], tell = () => {}, signal }: Bench): Promise<Summary> {
  const stage = await startStage(plan, tell)
  try {
    const lines = wanted(
      [...readLines(plan, stage), ...writeLines(plan, stage), await paidLine(plan, stage)],
      stage,
      only,
    )
    const measured = new Map<string, Round[]>(lines.map(({ name }) => [name, []]))
    for (let nr = 1 - plan.warmUps; nr <= plan.rounds; nr++) {
      tell(nr < 1 ? 'warming up …' : `round ${nr} of ${plan.rounds} …`)
      for (const line of lines) {
        signal?.throwIfAborted()
        const round = await measureRound(line)
        if (nr >= 1) measured.get(line.name)?.push(round)
      }
    }
    return summarise(measured, { small: plan.smallBoard, large: plan.largeBoard })
  } finally {
    await stage.stop()
  }
}

function wanted(lines: readonly Line[], { baselines }: Stage, only: readonly string[]): readonly Line[] {
  if (only.length === 0) return lines
  const always = new Set(BASELINES.map((kind) => baselines[kind]))
  return lines.filter(({ name, server }) => always.has(server) || only.some((part) => name.includes(part)))
}
