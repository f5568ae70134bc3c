import type { Plan } from '../plan.ts'
import type { Span } from '../spans/span.ts'
import type { Lateness } from '../stage/start-process.ts'
import { middleOf } from './in-turns.ts'
import { inMs, latenciesOf, perSecond } from './latencies.ts'
import { KINDS } from './mix.ts'
import type { Loaded, Rig } from './rig.ts'

const MOST_TIMES_P50 = 5
const MOST_LATE_MS = { p99: 20, ever: 200 }
const TURNS = 5
/** Six of a hundred requests are deliveries: their 99th percentile needs a longer run. */
export const halfLoadSeconds = ({ loadSeconds }: Plan): number => loadSeconds * 5

/** The distance of the 99th percentile from the median at half of the service's peak, and how long its thread is held. */
export async function halfLoad(plan: Plan, rig: Rig): Promise<readonly Span[]> {
  const half = (await rig.peak()) / 2
  const turns: Loaded[] = []
  for (let turn = 0; turn < TURNS; turn++) turns.push(await rig.load(half, halfLoadSeconds(plan)))
  return [...latencySpans(half, turns), latenessSpan(turns)]
}

function latencySpans(half: number, turns: readonly Loaded[]): readonly Span[] {
  const refused = turns.flatMap(({ outcomes }) => outcomes).filter((outcome) => outcome.refused).length
  const busy = turns.reduce((sum, turn) => sum + turn.busy, 0) / turns.length
  return KINDS.map((wanted) => {
    const { beside, measured, ratio, range } = middleOf(
      turns.map(({ outcomes }) => {
        const { p50, p99 } = latenciesOf(outcomes, ({ kind, refused }) => kind === wanted && !refused)
        return { beside: p50, measured: p99 }
      }),
    )
    return {
      name: `${wanted} at half load (${perSecond(half)} in all, cores ${Math.round(busy * 100)} % busy)`,
      measured: `p50 ${inMs(beside)}, p99 ${inMs(measured)}: ${ratio.toFixed(2)} × (${range})`,
      aim: `≤ ${MOST_TIMES_P50} ×`,
      reached: refused === 0 && ratio <= MOST_TIMES_P50,
    }
  })
}

function latenessSpan(turns: readonly Loaded[]): Span {
  const most = (of: (lateness: Lateness) => number) => Math.max(...turns.map(({ lateness }) => of(lateness)))
  const [p99Ms, mostMs] = [most(({ p99Ms }) => p99Ms), most(({ mostMs }) => mostMs)]
  return {
    name: "how late the service's timers run meanwhile",
    measured: `p99 ${inMs(p99Ms)}, at most ${inMs(mostMs)}`,
    aim: `≤ ${MOST_LATE_MS.p99} ms, ≤ ${MOST_LATE_MS.ever} ms`,
    reached: p99Ms <= MOST_LATE_MS.p99 && mostMs <= MOST_LATE_MS.ever,
  }
}
