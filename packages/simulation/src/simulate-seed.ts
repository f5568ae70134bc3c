import type { Violation } from '@guildhall/oracle'
import { DAY, MINUTE, SECOND } from '@guildhall/protocol'
import type { Bug } from './bugs.ts'
import { createDay, LAST_DAYS, LAST_MINUTES } from './day.ts'
import { happenings } from './judge/happenings.ts'
import { judgeDay } from './judge/judge-day.ts'
import { watchBookings } from './judge/watch-bookings.ts'
import { watchClaims } from './judge/watch-claims.ts'
import { watchDeaths } from './judge/watch-deaths.ts'
import { watchHouse } from './judge/watch-house.ts'
import { watchNonces } from './judge/watch-nonces.ts'
import { watchPayouts } from './judge/watch-payouts.ts'
import { watchSuspensions } from './judge/watch-suspensions.ts'
import { createNode, type Node } from './node.ts'
import { act } from './people/actors.ts'
import { enrol } from './people/cast.ts'
import { heal } from './people/heal.ts'
import { interruptSigning } from './people/interrupt-signing.ts'
import { loseDatabase } from './people/lose-database.ts'
import { overtake } from './people/overtake.ts'
import { createRequests } from './people/requests.ts'
import type { Stage } from './people/stage.ts'
import { makeTrouble } from './people/trouble.ts'
import { MOST_STEPS } from './time/scheduler.ts'

export type Options = {
  readonly bug?: Bug | null
  readonly kept?: boolean
  /** Ends the day soon after something has gone wrong: a day that is spoilt may never come to rest. */
  readonly untilWrong?: boolean
}

export type Outcome = {
  readonly seed: number
  readonly violations: readonly Violation[]
  readonly happened: ReadonlySet<string>
  /** The same for the same seed on any machine. */
  readonly hash: string
  readonly trace: readonly string[]
  readonly steps: number
}

const LONGEST_MS = 60 * DAY
const SLICE_MS = 10 * MINUTE

/** One seed: people, faults and two nodes, until everything has healed and come to rest; then everything is judged. */
export async function simulateSeed(
  seed: number,
  { bug = null, kept = false, untilWrong = false }: Options = {},
): Promise<Outcome> {
  // Outside of a promise callback ticks run before promises, and the first steps would come in another order.
  await null
  const day = createDay(seed, { bug, kept })
  const { scheduler, chance } = day
  watchClaims(day)
  watchPayouts(day)
  watchNonces(day)
  watchDeaths(day)
  watchHouse(day)
  watchBookings(day)
  watchSuspensions(day)
  const nodes: [Node, Node] = [createNode(day, 'A'), createNode(day, 'B')]
  // On some days a payment comes before anybody has looked at the wallet.
  const isBlind = chance.happens(0.1)
  for (const { rpc } of nodes) rpc.blind = isBlind
  const begun = nodes[0].start()
  const stageMade = begun.then(() => stageOf())

  async function stageOf(): Promise<Stage> {
    const world = nodes[0].world
    if (!world) throw new Error('the first node did not start')
    const cast = await enrol(day, world)
    // On some days the database connection is unreliable throughout.
    if (chance.happens(0.3)) Object.assign(day.database.faults, { cut: 0.002, lostCommit: 0.02 })
    void nodes[1].start()
    return {
      day,
      nodes,
      cast,
      requests: createRequests(day, new Map()),
      history: [],
      shown: [],
      readers: new Map(),
      isRestored: false,
      isOver: false,
      takenBackAt: 0,
      isOperatorCalled: false,
    }
  }

  let stage: Stage | null = null
  let isDone = false
  const play = stageMade.then(async (made) => {
    stage = made
    interruptSigning(made)
    if (isBlind) await scheduler.pause(null, SECOND).then(() => overtake(made))
    const trouble = makeTrouble(made, 2 + chance.below(14))
    const actAll = () => Promise.all(Array.from({ length: 3 }, () => act(made, 4 + chance.below(8))))
    await actAll()
    if (day.isRestored) await loseDatabase(made, actAll)
    made.isOver = true
    void trouble
    isDone = true
  })
  play.catch((error: unknown) => day.surprises.push(`the play: ${String(error)}`))
  const isWrong = () => untilWrong && day.surprises.length > 0
  const runUntil = async (end: number, isOver: () => boolean) => {
    while (!isOver() && !isWrong() && scheduler.now() < end && scheduler.steps() < MOST_STEPS)
      await scheduler.run(Math.min(end, scheduler.now() + SLICE_MS))
  }
  await runUntil(scheduler.now() + LONGEST_MS, () => isDone)
  if (stage === null) throw new Error(`seed ${seed} did not begin: ${day.surprises.join('; ')}`)
  const made: Stage = stage
  made.isOver = true
  heal(made).catch((error: unknown) => day.surprises.push(`healing: ${String(error)}`))
  await runUntil(scheduler.now() + (day.isRestored ? LAST_MINUTES : LAST_DAYS), () => false)
  return {
    seed,
    violations: judgeDay(made),
    happened: happenings(made),
    hash: day.trace.hash(),
    trace: day.trace.lines,
    steps: scheduler.steps(),
  }
}
