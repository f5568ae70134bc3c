import type { Plan } from '../plan.ts'
import type { Span } from '../spans/span.ts'
import { inMs, latenciesOf, perSecond } from './latencies.ts'
import type { Rig } from './rig.ts'

const TIMES_PEAK = 3
const LEAST_GOODPUT = 0.8
const RECOVERED = 1.2

/** Three times as much as the service can do, and half of it right afterwards. */
export async function overload(plan: Plan, rig: Rig): Promise<readonly Span[]> {
  const peak = await rig.peak()
  const before = latenciesOf((await rig.load(0.5, plan.loadSeconds)).outcomes, answered)
  const { outcomes, seconds } = await rig.load(TIMES_PEAK, plan.loadSeconds * 2)
  const after = await rig.load(0.5, plan.loadSeconds)
  const good = outcomes.filter(answered).length / seconds
  const refusals = outcomes.filter(({ refused }) => refused).length / outcomes.length
  const [done, turnedAway] = [latenciesOf(outcomes, answered), latenciesOf(outcomes, ({ refused }) => refused)]
  const lateRefusals = after.outcomes.filter(({ refused }) => refused).length
  const { p99 } = latenciesOf(after.outcomes, answered)
  return [
    {
      name: `${TIMES_PEAK} × the peak of ${perSecond(peak)}: goodput`,
      measured: `${perSecond(good)}: ${(good / peak).toFixed(2)} of it, p99 ${inMs(done.p99)}`,
      aim: `≥ ${LEAST_GOODPUT.toFixed(2)}`,
      reached: good >= LEAST_GOODPUT * peak,
    },
    {
      name: 'the rest: 503 with Retry-After',
      measured: `${Math.round(refusals * 100)} % of all, p50 ${inMs(turnedAway.p50)}, p99 ${inMs(turnedAway.p99)}`,
      aim: 'nothing else',
      reached: refusals > 0,
    },
    {
      name: 'half load right after it, beside half load before',
      measured: `p99 ${inMs(p99)} beside ${inMs(before.p99)}, ${lateRefusals} refused`,
      aim: `≤ ${RECOVERED} ×, none`,
      reached: lateRefusals === 0 && p99 <= RECOVERED * before.p99,
    },
  ]
}

const answered = ({ refused }: { readonly refused: boolean }): boolean => !refused
