import type { Timer } from './ports/timer.ts'

export const createTimer = (): Timer => ({
  elapsed: () => performance.now(),
  after(ms, ring) {
    const timer = setTimeout(ring, ms)
    return () => clearTimeout(timer)
  },
})
