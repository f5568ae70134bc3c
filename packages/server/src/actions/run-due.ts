import { MINUTE } from '@guildhall/protocol'
import type { DueTimer } from '../ports/task-store.ts'
import type { World } from '../ports/world.ts'
import { eachAtOnce } from './each-at-once.ts'
import { guarded } from './guarded.ts'
import { expireMessages } from './inbox/expire-messages.ts'
import { settleTransfer } from './money/settle-transfer.ts'
import { announceAtOnce } from './tasks/announce-at-once.ts'
import { announceDue } from './tasks/announce-due.ts'
import { taskAsDue } from './tasks/move-task.ts'
import { runTesting } from './testing/run-testing.ts'

const TIMERS: readonly DueTimer[] = ['claim lapses', 'unreviewed', 'expires']
const BATCH = 100
const AT_ONCE = 8
const HOLD_MS = 10 * MINUTE

/** Does everything that is due now, once; returns the number of items handled. Safe on any number of nodes. */
export async function runDue(world: World): Promise<number> {
  let count = (await runOwnDue(world)) + (await announceDue(world))
  for (const { network } of world.rules.networks) count += await settleDue(world, network)
  return count + (await testDue(world))
}

/** The due work that needs no outside service, so it never waits for one. */
export async function runOwnDue(world: World): Promise<number> {
  const count = (await fireDue(world)) + (await expireMessages(world))
  return count + (await world.ledger.sealPending())
}

/** Ends the claims, reviews and tasks whose time is over. */
export async function fireDue(world: World): Promise<number> {
  let count = 0
  for (const timer of TIMERS) count += await fireTimers(world, timer)
  return count
}

/** Tries the transfers of one network that were due by then. */
export async function settleDue(world: World, network: string, by = world.clock.now()): Promise<number> {
  const ids = await world.store.dueTransfers(by, BATCH, network)
  return eachAtOnce(ids, AT_ONCE, (id) => guarded(world, 'settlement', id, () => settleTransfer(world, id)))
}

/** Continues product tests, for which the house may have to pay. */
export const testDue = (world: World): Promise<number> =>
  runTesting(world, (what, id, work) => guarded(world, what, id, work))

async function fireTimers(world: World, timer: DueTimer): Promise<number> {
  const ids = await world.store.dueTimers(timer, world.clock.now(), BATCH)
  return eachAtOnce(ids, AT_ONCE, async (id) => {
    const isDone = await guarded(world, `timer '${timer}'`, id, () => fireTimer(world, id))
    if (!isDone) await guarded(world, `the pause of timer '${timer}'`, id, () => pauseTimer(world, id))
    return isDone
  })
}

/** A failing timer sorts first and would keep the others from their turn: it is held for a minute. */
const pauseTimer = (world: World, taskId: string): Promise<void> =>
  world.store.transaction(async (tx) => {
    const task = await tx.lockTask(taskId)
    if (task) await tx.saveTask({ ...task, timerHeldUntil: world.clock.now() + MINUTE })
  })

/** A timer that cannot act yet (money in flight, no wallet to pay to) is held for a while, so that it does not block the others. */
const fireTimer = (world: World, taskId: string): Promise<void> =>
  world.store.transaction(async (tx) => {
    const before = await tx.lockTask(taskId)
    if (!before) return
    const after = await taskAsDue(world, tx, before, taskId)
    if (after.status === before.status) await tx.saveTask({ ...after, timerHeldUntil: world.clock.now() + HOLD_MS })
    else await announceAtOnce(world, tx, after)
  })
