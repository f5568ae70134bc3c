import type { Outcome } from '../load/arrive.ts'
import type { Plan } from '../plan.ts'
import type { Span } from '../spans/span.ts'
import { comparedSeconds } from './half-load.ts'
import { inMs, latenciesOf, perSecond } from './latencies.ts'
import type { Rig } from './rig.ts'

const TIMES_PEAK = 3
const LEAST_GOODPUT = 0.8
const RECOVERED = 1.2
const TURNS = 3

/** Three times as much as the service can do, and half of it right afterwards, in turns. */
export async function overload(plan: Plan, rig: Rig): Promise<readonly Span[]> {
  const peak = await rig.peak()
  const [early, outcomes, late]: [Outcome[], Outcome[], Outcome[]] = [[], [], []]
  let seconds = 0
  for (let turn = 0; turn < TURNS; turn++) {
    early.push(...(await rig.load(0.5, comparedSeconds(plan))).outcomes)
    const over = await rig.load(TIMES_PEAK, comparedSeconds(plan))
    outcomes.push(...over.outcomes)
    seconds += over.seconds
    late.push(...(await rig.load(0.5, comparedSeconds(plan))).outcomes)
  }
  const good = outcomes.filter(answered).length / seconds
  const refusals = outcomes.filter(({ refused }) => refused).length / outcomes.length
  const [done, turnedAway] = [latenciesOf(outcomes, answered), latenciesOf(outcomes, ({ refused }) => refused)]
  const lateRefusals = late.filter(({ refused }) => refused).length
  const [before, { p99 }] = [latenciesOf(early, answered), latenciesOf(late, answered)]
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
