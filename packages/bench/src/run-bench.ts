import type { Line } from './lines/line.ts'
import { paidLine } from './lines/paid-line.ts'
import { paymentLines } from './lines/payment-lines.ts'
import { readLines } from './lines/read-lines.ts'
import { registryLines } from './lines/registry-lines.ts'
import { writeLines } from './lines/write-lines.ts'
import type { Plan } from './plan.ts'
import { measureRound, type Round } from './report/measure-round.ts'
import { type Summary, summarise } from './report/summary.ts'
import { ledgerVerify } from './spans/ledger-verify.ts'
import type { Span } from './spans/span.ts'
import { streamFanOut } from './spans/stream-fan-out.ts'
import { timersAtOnce } from './spans/timers-at-once.ts'
import { BASELINES } from './stage/start-baseline.ts'
import { type Stage, startStage } from './stage/start-stage.ts'
import { halfLoadOfBareServers } from './under-load/bare-half-load.ts'
import { blockedFacilitator } from './under-load/blocked-facilitator.ts'
import { halfLoad } from './under-load/half-load.ts'
import { overload } from './under-load/overload.ts'
import { createRig, type Rig } from './under-load/rig.ts'

/** The lines with their rates, and the spans that were timed once. */
export type BenchSummary = Summary & { readonly spans: readonly Span[] }

export type Bench = {
  readonly plan: Plan
  /** Parts of names; empty: all lines. Baselines are always measured. */
  readonly only?: readonly string[]
  readonly tell?: (line: string) => void
  readonly signal?: AbortSignal
}

/** Starts everything, measures all lines in turn, round after round, and stops everything again. */
export async function runBench({ plan, only = [], tell = () => {}, signal }: Bench): Promise<BenchSummary> {
  const stage = await startStage(plan, tell)
  try {
    const lines = wanted(
      [
        ...readLines(plan, stage),
        ...writeLines(plan, stage),
        ...paymentLines(plan, stage),
        ...registryLines(plan, stage),
        await paidLine(plan, stage),
      ],
      stage,
      only,
    )
    const measured = new Map<string, Round[]>(lines.map(({ name }) => [name, []]))
    for (let nr = 1 - plan.warmUps; nr <= plan.rounds; nr++) {
      tell(nr < 1 ? 'warming up …' : `round ${nr} of ${plan.rounds} …`)
      for (const line of lines) {
        signal?.throwIfAborted()
        const round = await measureRound(line, stage.postgresCpu)
        if (nr >= 1) measured.get(line.name)?.push(round)
      }
    }
    // The spans need the large board only; an idle service would go on looking at the chains meanwhile.
    await stage.small.server.stop()
    const spans = await measureSpans(plan, stage, only, tell)
    return { ...summarise(measured, { small: plan.smallBoard, large: plan.largeBoard }), spans }
  } finally {
    await stage.stop()
  }
}

type Measure = (plan: Plan, stage: Stage, rig: Rig) => Promise<readonly Span[]>

const SPANS: Readonly<Record<string, Measure>> = {
  'half load': async (plan, stage, rig) => [
    ...(await halfLoad(plan, rig)),
    ...(await halfLoadOfBareServers(plan, stage, rig)),
  ],
  overload: (plan, _, rig) => overload(plan, rig),
  'timers at once': async (plan, stage) => [await timersAtOnce(plan, stage)],
  'full ledger verify': async (_, stage) => [await ledgerVerify(stage)],
  'stream fan-out': async (plan, stage) => [await streamFanOut(plan, stage)],
  'blocked facilitator': blockedFacilitator,
}

async function measureSpans(plan: Plan, stage: Stage, only: readonly string[], tell: (line: string) => void) {
  const spans: Span[] = []
  const rig = createRig(plan, stage)
  for (const [name, measure] of Object.entries(SPANS)) {
    if (only.length > 0 && !only.some((part) => name.includes(part))) continue
    tell(`${name} …`)
    spans.push(...(await measure(plan, stage, rig)))
  }
  return spans
}

function wanted(lines: readonly Line[], { baselines }: Stage, only: readonly string[]): readonly Line[] {
  if (only.length === 0) return lines
  const always = new Set(BASELINES.map((kind) => baselines[kind]))
  return lines.filter(({ name, server }) => always.has(server) || only.some((part) => name.includes(part)))
}
