import { MINUTE, SECOND } from '@guildhall/protocol'
import { keepSettledDays } from '../actions/keep-settled-days.ts'
import { refreshTrust } from '../actions/refresh-trust.ts'
import { runDue } from '../actions/run-due.ts'
import { sendMails } from '../actions/send-mails.ts'
import { watchWallets } from '../actions/watch-wallets.ts'
import type { World } from '../ports/world.ts'
import { createPusher } from './create-pusher.ts'
import { startLoop } from './start-loop.ts'

const TIDY_EVERY_MS = MINUTE
const LOOK_AT_TRUST_EVERY_MS = 5 * SECOND

export type Jobs = { nudge(): void; stop(): Promise<void> }

/**
 * Everything that happens by itself. Pushing, mailing and watching have loops of their own, because they wait for others; so has
 * trust, which takes seconds in a large network.
 */
export function startJobs(world: World): Jobs {
  let tidied = 0
  let lookedAtTrust = 0
  const pusher = createPusher(world)
  const loops = [
    startLoop(world.log, 'the jobs could not look for work', async () => {
      const done = await runDue(world)
      tidied = await tidy(world, tidied)
      return done
    }),
    startLoop(world.log, 'no events could be pushed', pusher.look),
    startLoop(world.log, 'no mail could be sent', () => sendMails(world)),
    startLoop(world.log, 'trust could not be computed', async () => {
      const now = world.clock.now()
      if (now - lookedAtTrust < LOOK_AT_TRUST_EVERY_MS) return 0
      lookedAtTrust = now
      return (await refreshTrust(world)) === 'computed' ? 1 : 0
    }),
    startLoop(world.log, 'the escrow wallet could not be watched', () => watchWallets(world)),
    startLoop(world.log, 'the samples of paid tasks could not be kept', () => keepSettledDays(world)),
  ]
  return {
    nudge: () => {
      for (const loop of loops) loop.nudge()
    },
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
