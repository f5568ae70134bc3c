import { randomInt } from 'node:crypto'
import { names } from '../lines/names.ts'
import { type Arrived, arrive } from '../load/arrive.ts'
import { encodeRequest, type Step } from '../load/operation.ts'
import type { Plan } from '../plan.ts'
import { ITEMS, itemId } from '../seed/seed-baseline.ts'
import type { Span } from '../spans/span.ts'
import type { MeasuredServer } from '../stage/start-process.ts'
import type { Stage } from '../stage/start-stage.ts'
import { halfLoadSeconds } from './half-load.ts'
import { inMs, latenciesOf } from './latencies.ts'
import { READING_SHARE } from './mix.ts'
import type { Rig } from './rig.ts'

const readItem = (): Step => ({
  bytes: encodeRequest({ method: 'GET', path: `/items/${itemId(randomInt(ITEMS))}` }),
  status: 200,
})
const move: Step = { bytes: encodeRequest({ method: 'POST', path: '/', body: '{}' }), status: 200 }

/** The arrival rate of half load at the bare servers: what machine and generator add to the slowest requests. */
export async function halfLoadOfBareServers(plan: Plan, { baselines }: Stage, rig: Rig): Promise<readonly Span[]> {
  const inAll = (await rig.peak()) / 2
  const sendTo = (server: MeasuredServer, kind: string, perSecond: number, step: () => Step): Promise<Arrived> =>
    arrive({
      url: server.url,
      perSecond,
      seconds: halfLoadSeconds(plan),
      connections: Math.ceil(perSecond),
      next: () => ({ kind, step: step() }),
    })
  const [reads, changes] = await Promise.all([
    sendTo(baselines.select, names.select, inAll * READING_SHARE, readItem),
    sendTo(baselines.transaction, names.transaction, inAll * (1 - READING_SHARE), () => move),
  ])
  const spanOf = (kind: string, whose: string, { outcomes, busy }: Arrived): Span => {
    const { p50, p99 } = latenciesOf(outcomes, () => true)
    return {
      name: `${kind} in place of the ${whose} (cores ${Math.round(busy * 100)} % busy)`,
      measured: `p50 ${inMs(p50)}, p99 ${inMs(p99)}: ${(p99 / p50).toFixed(1)} ×`,
      aim: null,
      reached: null,
    }
  }
  return [spanOf(names.select, 'reads', reads), spanOf(names.transaction, 'changes', changes)]
}
