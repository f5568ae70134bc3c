import { MINUTE, SECOND } from '@guildhall/protocol'
import { watchWallets } from '../actions/custody/watch-wallets.ts'
import { keepSettledDays } from '../actions/feed/keep-settled-days.ts'
import { sendMails } from '../actions/mail/send-mails.ts'
import { refreshTrust } from '../actions/reputation/refresh-trust.ts'
import { runOwnDue, settleDue, testDue } from '../actions/run-due.ts'
import { announceDue } from '../actions/tasks/announce-due.ts'
import { remindOfReviews } from '../actions/tasks/remind-of-reviews.ts'
import type { World } from '../ports/world.ts'
import { createPusher } from './create-pusher.ts'
import { startLoop } from './start-loop.ts'

const TIDY_EVERY_MS = MINUTE

export type Jobs = { readonly nudge: World['nudge']; stop(): Promise<void> }

/**
 * All background jobs; they pause while the node's clock is not trusted, and stop on an older copy of the database, where nothing
 * may be written any more. Jobs that wait for outside services have loops of their own, settling has one per network, so that a
 * slow one holds up nothing else; trust has its own because it takes seconds in a large network.
 */
export function startJobs(world: World, clockHolds: () => boolean | Promise<boolean>): Jobs {
  const lookEvery = (ms: number, trouble: string, look: () => Promise<number>) =>
    startLoop(world.log, trouble, ms, async () => (world.ledger.isTrusted() && (await clockHolds()) ? look() : 0))
  let tidied = 0
  const pusher = createPusher(world)
  const due = lookEvery(SECOND / 4, 'the jobs could not look for work', async () => {
    const done = await runOwnDue(world)
    tidied = await tidy(world, tidied)
    return done
  })
  const settling = world.rules.networks.map(({ network }) =>
    lookEvery(SECOND / 4, `no payment on ${network} could be settled`, () => settleDue(world, network)),
  )
  const testing = lookEvery(SECOND / 4, 'no test of a product could go on', () => testDue(world))
  const announcing = lookEvery(SECOND / 4, 'no task could be announced', () => announceDue(world))
  const nudged = [due, announcing, ...settling, testing]
  const loops = [
    ...nudged,
    lookEvery(SECOND / 4, 'no events could be pushed', pusher.look),
    lookEvery(SECOND / 4, 'no mail could be sent', () => sendMails(world)),
    lookEvery(5 * SECOND, 'trust could not be computed', async () =>
      (await refreshTrust(world)) === 'computed' ? 1 : 0,
    ),
    lookEvery(SECOND, 'the escrow wallet could not be watched', () => watchWallets(world)),
    // Every payout adds up what is left of them.
    lookEvery(5 * SECOND, 'the tallies could not be added up', async () =>
      (await world.store.transaction((tx) => tx.foldTallies())) ? 1 : 0,
    ),
    lookEvery(MINUTE, 'no checkpoint could be issued', async () => ((await world.ledger.attestHead()) ? 1 : 0)),
    lookEvery(MINUTE, 'nobody could be reminded of a review', () => remindOfReviews(world)),
    lookEvery(MINUTE, 'the samples of paid tasks could not be kept', () => keepSettledDays(world)),
  ]
  return {
    // Only these jobs find work that a request has just created; for the others polling is enough.
    nudge: (due) => (due === 'announcement' ? [announcing] : nudged).forEach((loop) => void loop.nudge()),
    async stop() {
      pusher.endTurns()
      await Promise.all(loops.map((loop) => loop.stop()))
      await pusher.idle()
    },
  }
}

async function tidy(world: World, last: number): Promise<number> {
  const now = world.clock.now()
  if (now - last < TIDY_EVERY_MS) return last
  await world.store.transaction((tx) => tx.forgetExpired(now))
  return now
}
