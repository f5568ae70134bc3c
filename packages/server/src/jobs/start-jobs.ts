import { MINUTE } from '@guildhall/protocol'
import { runDue } from '../actions/run-due.ts'
import type { World } from '../ports/world.ts'
import { createPusher } from './create-pusher.ts'
import { startLoop } from './start-loop.ts'

const TIDY_EVERY_MS = MINUTE

export type Jobs = { nudge(): void; stop(): Promise<void> }

/** Everything that happens by itself. Pushing has a loop of its own, because it waits for addresses of others. */
export function startJobs(world: World): Jobs {
  let tidied = 0
  const pusher = createPusher(world)
  const loops = [
    startLoop(world.log, 'the jobs could not look for work', async () => {
      const done = await runDue(world)
      tidied = await tidy(world, tidied)
      return done
    }),
    startLoop(world.log, 'no events could be pushed', pusher.look),
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
