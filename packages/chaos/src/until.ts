import { setTimeout as pause } from 'node:timers/promises'

const LOOK_EVERY_MS = 50

/** Polls until it holds; false when it still does not after `withinMs`. */
export async function until(holds: () => boolean | Promise<boolean>, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs
  while (!(await holds())) {
    if (performance.now() > deadline) return false
    await pause(LOOK_EVERY_MS)
  }
  return true
}
