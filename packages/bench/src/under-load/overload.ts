import type { Outcome } from '../load/arrive.ts'
import { comparedSeconds, type Plan } from '../plan.ts'
import type { Span } from '../spans/span.ts'
import { middleOf, type Turn } from './in-turns.ts'
import { inMs, latenciesOf, perSecond } from './latencies.ts'
import type { Rig } from './rig.ts'

const TIMES_PEAK = 3
const LEAST_GOODPUT = 0.8
const RECOVERED = 1.2
const TURNS = 3
/** How long the service may take until everything is as before. */
const recoverySeconds = ({ loadSeconds }: Plan): number => loadSeconds * 2.5

/** Three times the current peak, with half of the peak before and after it, in turns. */
export async function overload(plan: Plan, rig: Rig): Promise<readonly Span[]> {
  const seconds = comparedSeconds(plan)
  const during: Outcome[] = []
  const goodputs: Turn[] = []
  const recoveries: Turn[] = []
  let lateRefusals = 0
  for (let turn = 0; turn < TURNS; turn++) {
    const peak = await rig.peakNow()
    const before = (await rig.load(peak / 2, seconds)).outcomes
    const over = await rig.load(peak * TIMES_PEAK, seconds)
    during.push(...over.outcomes)
    goodputs.push({ beside: peak, measured: over.outcomes.filter(answered).length / over.seconds })
    await rig.load(peak / 2, recoverySeconds(plan))
    const after = (await rig.load(peak / 2, seconds)).outcomes
    recoveries.push({ beside: latenciesOf(before, answered).p99, measured: latenciesOf(after, answered).p99 })
    lateRefusals += after.filter(refused).length
  }
  const [done, turnedAway] = [latenciesOf(during, answered), latenciesOf(during, refused)]
  const refusals = during.filter(refused).length / during.length
  const [goodput, recovery] = [middleOf(goodputs), middleOf(recoveries)]
  const p99s = `p99 ${inMs(recovery.measured)} beside ${inMs(recovery.beside)}: ${recovery.ratio.toFixed(2)} × (${recovery.range})`
  return [
    {
      name: `${TIMES_PEAK} × the peak of ${perSecond(goodput.beside)}: goodput`,
      measured: `${perSecond(goodput.measured)}: ${goodput.ratio.toFixed(2)} of it (${goodput.range}), p99 ${inMs(done.p99)}`,
      aim: `≥ ${LEAST_GOODPUT.toFixed(2)}`,
      reached: goodput.ratio >= LEAST_GOODPUT,
    },
    {
      name: 'the rest: 503 with Retry-After',
      measured: `${Math.round(refusals * 100)} % of all, p50 ${inMs(turnedAway.p50)}, p99 ${inMs(turnedAway.p99)}`,
      aim: 'nothing else',
      reached: refusals > 0,
    },
    {
      name: `half load, from ${recoverySeconds(plan)} s after it on, beside half load before`,
      measured: `${p99s}, ${lateRefusals} refused`,
      aim: `≤ ${RECOVERED} ×, none`,
      reached: lateRefusals === 0 && recovery.ratio <= RECOVERED,
    },
  ]
}

const refused = (outcome: Outcome): boolean => outcome.refused
const answered = (outcome: Outcome): boolean => !outcome.refused
