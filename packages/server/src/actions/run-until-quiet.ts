import { MINUTE, SECOND } from '@guildhall/protocol'
import type { Instant } from '../domain/instant.ts'
import { pause } from '../ports/timer.ts'
import type { World } from '../ports/world.ts'
import { isLooking, watchWallets } from './custody/watch-wallets.ts'
import { eachAtOnce } from './each-at-once.ts'
import { guarded } from './guarded.ts'
import { expireMessages } from './inbox/expire-messages.ts'
import { pushEvents } from './inbox/push-events.ts'
import { sendMails } from './mail/send-mails.ts'
import { refreshTrust } from './reputation/refresh-trust.ts'
import { fireDue, settleDue, testDue } from './run-due.ts'
import { announceDue } from './tasks/announce-due.ts'
import { remindOfReviews } from './tasks/remind-of-reviews.ts'

const BATCH = 100
const AT_ONCE = 8
const WATCH_MS = 20
const PATIENCE_MS = 5 * SECOND

/**
 * Runs until nothing is due any more, after the clock was moved. Under load there is always a payment that has just fallen due:
 * after a few seconds only those are waited for that were due by then, or that a timer has set going.
 */
export async function runUntilQuiet(world: World, rounds = 200): Promise<void> {
  const patience = world.timer.elapsed() + PATIENCE_MS
  let by = world.clock.now()
  for (let round = 0; round < rounds; round++) {
    const fired = (await fireDue(world)) + (await testDue(world))
    if (fired > 0 || world.timer.elapsed() < patience) by = world.clock.now()
    let done = fired + (await expireMessages(world)) + (await world.ledger.sealPending()) + (await announceDue(world))
    for (const { network } of world.rules.networks) done += await settleDue(world, network, by)
    if (done + (await pushDue(world)) + (await remindOfReviews(world)) + (await sendMails(world)) > 0) continue
    if (!(await isSettling(world, by)) && !(await isMailing(world)) && !(await isPushing(world))) break
    await pause(world.timer, WATCH_MS)
  }
  await world.ledger.attestHead()
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

/** Whether an attempt that was due by then is still running, here or on another node. */
async function isSettling({ store, clock, rules }: World, by: Instant): Promise<boolean> {
  const inTenMinutes = clock.now() + 10 * MINUTE
  const perNetwork = rules.networks.map(({ network }) => store.dueTransfers(inTenMinutes, BATCH, network))
  const soon = (await Promise.all(perNetwork)).flat()
  const transfers = await Promise.all(soon.map((id) => store.transfer(id)))
  const now = clock.now()
  return transfers.some(
    (one) => one !== null && (one.leaseUntil ?? 0) > now && (one.nextAttemptAt ?? one.createdAt) <= by,
  )
}

const isMailing = async ({ mailer, store, clock }: World): Promise<boolean> =>
  mailer !== null && (await store.isMailing(clock.now()))

const isPushing = ({ store, clock }: World): Promise<boolean> => store.isPushing(clock.now())

/** Pushes to due webhooks. Separate from the rest: a slow address delays only itself. */
async function pushDue(world: World): Promise<number> {
  const ids = await world.store.dueWebhooks(world.clock.now(), BATCH)
  return eachAtOnce(ids, AT_ONCE, (id) => guarded(world, 'webhook', id, () => pushEvents(world, id)))
}
