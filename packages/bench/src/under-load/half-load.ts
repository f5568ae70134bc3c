import type { Plan } from '../plan.ts'
import type { Span } from '../spans/span.ts'
import { inMs, latenciesOf, perSecond } from './latencies.ts'
import { KINDS } from './mix.ts'
import type { Rig } from './rig.ts'

const MOST_TIMES_P50 = 5
/** Six of a hundred requests are deliveries: their 99th percentile needs a longer run. */
export const halfLoadSeconds = ({ loadSeconds }: Plan): number => loadSeconds * 5

/** The distance of the 99th percentile from the median, at half of the service's peak. */
export async function halfLoad(plan: Plan, rig: Rig): Promise<readonly Span[]> {
  const half = (await rig.peak()) / 2
  const { outcomes, busy } = await rig.load(half, halfLoadSeconds(plan))
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
