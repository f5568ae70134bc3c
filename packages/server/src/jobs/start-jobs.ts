import { MINUTE, SECOND } from '@guildhall/protocol'
import { runDue } from '../actions/run-due.ts'
import type { World } from '../ports/world.ts'

const LOOK_EVERY_MS = SECOND / 4
const TIDY_EVERY_MS = MINUTE

export type Jobs = { nudge(): void; stop(): Promise<void> }

/** Looks for what is due a few times a second, and at once when it is nudged. Trouble makes it slower, never stops it. */
export function startJobs(world: World): Jobs {
  let stopped = false
  let wake: () => void = () => {}
  let nudged = false
  let tidied = 0

  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  async function loop(): Promise<void> {
    let wait = LOOK_EVERY_MS
    while (!stopped) {
      nudged = false
      try {
        const done = await runDue(world)
        tidied = await tidy(world, tidied)
        wait = done > 0 ? 0 : LOOK_EVERY_MS
      } catch (error) {
        world.log.warn('the jobs could not look for work', {
          error: error instanceof Error ? error.message : String(error),
        })
        wait = Math.min(wait * 2 + LOOK_EVERY_MS, 5 * SECOND)
      }
      if (!stopped && !nudged) await pause(wait)
    }
  }

  const running = loop()
  return {
    nudge() {
      nudged = true
      wake()
    },
    async stop() {
      stopped = true
      wake()
      await running
    },
  }
}

async function tidy(world: World, last: number): Promise<number> {
  const now = world.clock.now()
  if (now - last < TIDY_EVERY_MS) return last
  await world.store.transaction((tx) => tx.forgetExpired(now))
  return now
}
