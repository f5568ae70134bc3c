import { setTimeout } from 'node:timers/promises'
import { names } from '../lines/names.ts'
import { createPaidPosts, type PaidPost } from '../lines/paid-posts.ts'
import type { Outcome } from '../load/arrive.ts'
import { openConnection } from '../load/connection.ts'
import { untilIdle } from '../load/until-idle.ts'
import { comparedSeconds, type Plan } from '../plan.ts'
import type { Span } from '../spans/span.ts'
import type { Stage } from '../stage/start-stage.ts'
import { untilFinal } from '../stage/until-final.ts'
import { middleOf } from './in-turns.ts'
import { inMs, latenciesOf } from './latencies.ts'
import { LIST } from './mix.ts'
import type { Rig } from './rig.ts'

const MOST = 1.2
const TURNS = 5
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  reads: [names.taskById, LIST],
  'signed writes': [names.create, names.claim, names.deliver],
}

/**
 * Half load alone, and with payments that hang because the facilitator is silent, in turns. The slowest hundredth of all turns
 * together counts: in a single one it depends on whether something else disturbed the machine just then.
 */
export async function blockedFacilitator(plan: Plan, stage: Stage, rig: Rig): Promise<readonly Span[]> {
  const posts = await createPaidPosts(stage)
  const half = (await rig.peak()) / 2
  const turns: { alone: readonly Outcome[]; beside: readonly Outcome[] }[] = []
  for (let turn = 0; turn < TURNS; turn++) {
    const alone = (await rig.load(half, comparedSeconds(plan))).outcomes
    const hanging = await hang(plan, stage, posts)
    try {
      turns.push({ alone, beside: (await rig.load(half, comparedSeconds(plan))).outcomes })
    } finally {
      await hanging.end()
    }
    // Whatever was held up is done now: the next turn must not be compared with that.
    await untilFinal(stage)
    await untilIdle()
  }
  const refused = turns.flatMap(({ beside }) => beside).filter((outcome) => outcome.refused).length
  return Object.entries(GROUPS).map(([group, kinds]) => {
    const p99Of = (outcomes: readonly Outcome[]) =>
      latenciesOf(outcomes, ({ kind, refused }) => kinds.includes(kind) && !refused).p99
    const { range } = middleOf(turns.map(({ alone, beside }) => ({ beside: p99Of(alone), measured: p99Of(beside) })))
    const [alone, beside] = [p99Of(turns.flatMap((turn) => turn.alone)), p99Of(turns.flatMap((turn) => turn.beside))]
    return {
      name: `${group} while ${plan.hangingPosts} payments hang for a silent facilitator`,
      measured: `p99 ${inMs(beside)} beside ${inMs(alone)}: ${(beside / alone).toFixed(2)} × (${range})`,
      aim: `≤ ${MOST} ×`,
      reached: refused === 0 && beside / alone <= MOST,
    }
  })
}

/**
 * Stops the facilitator's process: calls are accepted and never answered. Paid posts come one by one until `hangingPosts` hang,
 * and again for each that is given up: all at once would measure a burst of payments.
 */
async function hang(plan: Plan, { parts, large }: Stage, posts: (count: number) => Promise<PaidPost[]>) {
  const pid = parts.facilitatorPid()
  if (pid === null) throw new Error('The facilitator does not run.')
  const made = await posts(plan.hangingPosts * 3)
  let ended = false
  process.kill(pid, 'SIGSTOP')
  const lane = async (_: unknown, nr: number) => {
    await setTimeout((comparedSeconds(plan) * 1_000 * nr) / plan.hangingPosts)
    const connection = await openConnection(large.server.url)
    for (let next = made.pop(); !ended && next !== undefined; next = made.pop())
      await connection.ask(next.paying).catch(() => {})
    connection.close()
  }
  const lanes = Promise.all(Array.from({ length: plan.hangingPosts }, lane))
  // A lane that fails meanwhile is told of at the end.
  lanes.catch(() => {})
  await setTimeout(comparedSeconds(plan) * 1_000)
  return {
    async end() {
      ended = true
      process.kill(pid, 'SIGCONT')
      await lanes
    },
  }
}
