import { afterAll, beforeAll, vi } from 'vitest'
import type { Stage } from './stage.ts'

/** Stops the service's clock in a story, so that it can be set to the millisecond. */
export function stopClock(stage: Stage): { at(instant: number | string | null): Promise<void> } {
  beforeAll(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.now() }))
  afterAll(() => void vi.useRealTimers())
  return {
    /** It is exactly this time now; nothing that fell due has been done yet. */
    async at(instant) {
      const wanted = typeof instant === 'number' ? instant : Date.parse(instant ?? '')
      const ahead = wanted - stage.now()
      if (ahead >= 1000) await stage.moveClocks(ahead)
      vi.setSystemTime(Date.now() + wanted - stage.now())
    },
  }
}
