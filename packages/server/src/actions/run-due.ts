import { MINUTE } from '@guildhall/protocol'
import { isClaimable } from '../domain/task/claimable.ts'
import type { DueTimer } from '../ports/store.ts'
import { pause } from '../ports/timer.ts'
import type { World } from '../ports/world.ts'
import { isLooking, watchWallets } from './custody/watch-wallets.ts'
import { expireMessages } from './inbox/expire-messages.ts'
import { pushEvents } from './inbox/push-events.ts'
import { sendMails } from './mail/send-mails.ts'
import { settleTransfer } from './money/settle-transfer.ts'
import { newId } from './new-id.ts'
import { refreshTrust } from './reputation/refresh-trust.ts'
import { lockTaskAsDue } from './tasks/move-task.ts'
import { remindOfReviews } from './tasks/remind-of-reviews.ts'
import { runTesting } from './testing/run-testing.ts'

const TIMERS: readonly DueTimer[] = ['claim lapses', 'unreviewed', 'expires']
const BATCH = 100
const AT_ONCE = 8
const HOLD_MS = 10 * MINUTE
const WATCH_MS = 20

/** Does everything that is due now, once; gives the number of things looked at. Safe on any number of nodes. */
export async function runDue(world: World): Promise<number> {
  let count = (await runOwnDue(world)) + (await announceDue(world))
  for (const { network } of world.rules.networks) count += await settleDue(world, network)
  return count + (await testDue(world))
}

/** Of what is due, that for which nobody outside is needed: it never waits. */
export async function runOwnDue(world: World): Promise<number> {
  let count = 0
  for (const timer of TIMERS) count += await fireTimers(world, timer)
  count += await expireMessages(world)
  return count + (await world.ledger.sealPending())
}

/** Tries the transfers of one network. */
export async function settleDue(world: World, network: string): Promise<number> {
  const ids = await world.store.dueTransfers(world.clock.now(), BATCH, network)
  return eachAtOnce(ids, AT_ONCE, (id) => guarded(world, 'settlement', id, () => settleTransfer(world, id)))
}

/** Goes on with tests of products, for which the house may have to pay. */
export const testDue = (world: World): Promise<number> =>
  runTesting(world, (what, id, work) => guarded(world, what, id, work))

/** Runs until nothing is due any more, for a clock that has been moved. */
export async function runUntilQuiet(world: World, rounds = 200): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    const done = await runDue(world)
    if (done + (await pushDue(world)) + (await remindOfReviews(world)) + (await sendMails(world)) > 0) continue
    if (!(await isSettling(world)) && !(await isMailing(world))) break
    await pause(world.timer, WATCH_MS)
  }
  for (let look = 0; look < rounds && (await refreshTrust(world)) === 'busy'; look++) await pause(world.timer, WATCH_MS)
  await watchUntilQuiet(world)
}

async function watchUntilQuiet(world: World, rounds = 100): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    if ((await watchWallets(world)) > 0) continue
    if (!(await isLooking(world))) return
    await pause(world.timer, WATCH_MS)
  }
}

/** Whether somebody, here or on another node, is in the middle of an attempt that fell due. */
async function isSettling({ store, clock, rules }: World): Promise<boolean> {
  const inTenMinutes = clock.now() + 10 * MINUTE
  const perNetwork = rules.networks.map(({ network }) => store.dueTransfers(inTenMinutes, BATCH, network))
  const soon = (await Promise.all(perNetwork)).flat()
  const transfers = await Promise.all(soon.map((id) => store.transfer(id)))
  return transfers.some((transfer) => (transfer?.leaseUntil ?? 0) > clock.now())
}

const isMailing = async ({ mailer, store, clock }: World): Promise<boolean> =>
  mailer !== null && (await store.isMailing(clock.now()))

/** Pushes what waits for webhooks. Apart from the rest: an address that is slow to answer delays nobody but itself. */
async function pushDue(world: World): Promise<number> {
  const ids = await world.store.dueWebhooks(world.clock.now(), BATCH)
  return eachAtOnce(ids, AT_ONCE, (id) => guarded(world, 'webhook', id, () => pushEvents(world, id)))
}

async function fireTimers(world: World, timer: DueTimer): Promise<number> {
  const ids = await world.store.dueTimers(timer, world.clock.now(), BATCH)
  return eachAtOnce(ids, AT_ONCE, async (id) => {
    const isDone = await guarded(world, `timer '${timer}'`, id, () => fireTimer(world, id))
    if (!isDone) await guarded(world, `the pause of timer '${timer}'`, id, () => pauseTimer(world, id))
    return isDone
  })
}

/** What fails stands at the head of the line, where it would keep others from their turn. */
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
    const after = await lockTaskAsDue(world, tx, taskId)
    if (after.status === before.status) await tx.saveTask({ ...after, timerHeldUntil: world.clock.now() + HOLD_MS })
  })

/** Tells of tasks that more agents wait for than could be told with the posting. */
export async function announceDue(world: World): Promise<number> {
  const ids = await world.store.unannouncedTasks(BATCH)
  return eachAtOnce(ids, 1, (id) => guarded(world, 'announcement', id, () => announce(world, id)))
}

/**
 * Tells every matching agent of a task that has become claimable, batch by batch. Whoever comes after a crash goes on where it
 * stopped; a task that is claimed meanwhile is not announced any further.
 */
async function announce(world: World, taskId: string): Promise<void> {
  for (let done = false; !done; ) {
    done = await world.store.transaction(async (tx) => {
      const task = await tx.lockTask(taskId)
      if (!task || task.announced || !isClaimable(task)) return true
      const batch = await tx.announceTask(task, world.clock.now(), () => newId(world, 'evt'))
      if (batch.done) await tx.saveTask({ ...task, announced: true })
      return batch.done
    })
    await world.failpoints.reach('announcement: batch committed')
  }
}

/** One bad row must not keep the others from their turn; false when it is one. */
async function guarded(world: World, what: string, id: string, work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    world.log.warn(`${what} failed and will be tried again`, {
      id,
      error: error instanceof Error ? error.message : String(error),
    })
    return false
  }
}

/** Gives the number of those that went well: whoever only fails is not looked for again without a pause. */
async function eachAtOnce(
  ids: readonly string[],
  atOnce: number,
  work: (id: string) => Promise<boolean>,
): Promise<number> {
  const queue = [...ids]
  let done = 0
  const lane = async () => {
    for (let id = queue.shift(); id !== undefined; id = queue.shift()) if (await work(id)) done += 1
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, ids.length) }, lane))
  return done
}
