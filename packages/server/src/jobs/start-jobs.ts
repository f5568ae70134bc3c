import { MINUTE, SECOND } from '@guildhall/protocol'
import { watchWallets } from '../actions/custody/watch-wallets.ts'
import { keepSettledDays } from '../actions/feed/keep-settled-days.ts'
import { sendMails } from '../actions/mail/send-mails.ts'
import { refreshTrust } from '../actions/reputation/refresh-trust.ts'
import { runOwnDue, settleDue, testDue } from '../actions/run-due.ts'
import { remindOfReviews } from '../actions/tasks/remind-of-reviews.ts'
import type { World } from '../ports/world.ts'
import { createPusher } from './create-pusher.ts'
import { startLoop } from './start-loop.ts'

const TIDY_EVERY_MS = MINUTE

export type Jobs = { nudge(): void; stop(): Promise<void> }

/**
 * Everything that happens by itself. What waits for others has a loop of its own, and settling one for every network, so that whoever
 * is slow to answer holds up nothing else; so has trust, which takes seconds in a large network.
 */
export function startJobs(world: World): Jobs {
  const { log } = world
  let tidied = 0
  const pusher = createPusher(world)
  const due = startLoop(log, 'the jobs could not look for work', SECOND / 4, async () => {
    const done = await runOwnDue(world)
    tidied = await tidy(world, tidied)
    return done
  })
  const settling = world.rules.networks.map(({ network }) =>
    startLoop(log, `no payment on ${network} could be settled`, SECOND / 4, () => settleDue(world, network)),
  )
  const testing = startLoop(log, 'no test of a product could go on', SECOND / 4, () => testDue(world))
  const nudged = [due, ...settling, testing]
  const loops = [
    ...nudged,
    startLoop(log, 'no events could be pushed', SECOND / 4, pusher.look),
    startLoop(log, 'no mail could be sent', SECOND / 4, () => sendMails(world)),
    startLoop(log, 'trust could not be computed', 5 * SECOND, async () =>
      (await refreshTrust(world)) === 'computed' ? 1 : 0,
    ),
    startLoop(log, 'the escrow wallet could not be watched', SECOND, () => watchWallets(world)),
    startLoop(log, 'nobody could be reminded of a review', MINUTE, () => remindOfReviews(world)),
    startLoop(log, 'the samples of paid tasks could not be kept', MINUTE, () => keepSettledDays(world)),
  ]
  return {
    // What a request has just brought about is theirs; the others look often enough.
    nudge: () => nudged.forEach((loop) => void loop.nudge()),
    async stop() {
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
