import type { Store } from '../../src/ports/store.ts'
import type { World } from '../../src/ports/world.ts'
import { NOW } from './samples.ts'
import { stillWorld } from './still-world.ts'

/** A world whose time passes when the test says so. */
export function movedWorld(store: Store) {
  let now = NOW
  const alarms = new Set<{ readonly at: number; readonly ring: () => void }>()
  const after = (ms: number, ring: () => void) => {
    const alarm = { at: now + ms, ring }
    alarms.add(alarm)
    return () => alarms.delete(alarm)
  }
  const still = stillWorld(store)
  const world = { ...still, clock: { now: () => now }, timer: { elapsed: () => now, after } } as unknown as World
  const move = (ms: number) => {
    now += ms
    for (const alarm of alarms) {
      if (alarm.at > now) continue
      alarms.delete(alarm)
      alarm.ring()
    }
  }
  return { world, move, alarms }
}
