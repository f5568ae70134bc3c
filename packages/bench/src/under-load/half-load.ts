import type { Plan } from '../plan.ts'
import type { Span } from '../spans/span.ts'
import { inMs, latenciesOf, perSecond } from './latencies.ts'
import { KINDS } from './mix.ts'
import type { Loaded, Rig } from './rig.ts'

const MOST_TIMES_P50 = 5
const MOST_LATE_MS = { p99: 20, ever: 200 }
/** Six of a hundred requests are deliveries: their 99th percentile needs a longer run. */
export const halfLoadSeconds = ({ loadSeconds }: Plan): number => loadSeconds * 5

/** The distance of the 99th percentile from the median at half of the service's peak, and how long its thread is held. */
export async function halfLoad(plan: Plan, rig: Rig): Promise<readonly Span[]> {
  const half = (await rig.peak()) / 2
  const loaded = await rig.load(half, halfLoadSeconds(plan))
  return [...latencySpans(half, loaded), latenessSpan(loaded)]
}

function latencySpans(half: number, { outcomes, busy }: Loaded): readonly Span[] {
  const refused = outcomes.filter((outcome) => outcome.refused).length
  return KINDS.map((wanted) => {
    const { p50, p99 } = latenciesOf(outcomes, ({ kind, refused }) => kind === wanted && !refused)
    return {
      name: `${wanted} at half load (${perSecond(half)} in all, cores ${Math.round(busy * 100)} % busy)`,
      measured: `p50 ${inMs(p50)}, p99 ${inMs(p99)}: ${(p99 / p50).toFixed(1)} ×`,
      aim: `≤ ${MOST_TIMES_P50} ×`,
      reached: refused === 0 && p99 <= MOST_TIMES_P50 * p50,
    }
  })
}

const latenessSpan = ({ lateness: { p99Ms, mostMs } }: Loaded): Span => ({
  name: "how late the service's timers run meanwhile",
  measured: `p99 ${inMs(p99Ms)}, at most ${inMs(mostMs)}`,
  aim: `≤ ${MOST_LATE_MS.p99} ms, ≤ ${MOST_LATE_MS.ever} ms`,
  reached: p99Ms <= MOST_LATE_MS.p99 && mostMs <= MOST_LATE_MS.ever,
})
