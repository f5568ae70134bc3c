import { setTimeout } from 'node:timers/promises'
import { watchCores } from './watch-cores.ts'

const LOOK_MS = 1_000
const MOST_LOOKS = 30
const IDLE = 0.1

/** Waits until the machine has little to do, but not for ever: it may also do other people's work. */
export async function untilIdle(): Promise<void> {
  for (let look = 0; look < MOST_LOOKS; look++) {
    const cores = watchCores()
    await setTimeout(LOOK_MS)
    if (cores.busy() < IDLE) return
  }
}
