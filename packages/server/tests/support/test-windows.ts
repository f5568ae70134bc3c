import type { RateWindow } from '../../src/domain/rate-limit/standing.ts'
import type { Hit } from '../../src/http/rate-limit.ts'

/** Windows in memory, as the store keeps them. */
export function createTestWindows(): Hit {
  const windows = new Map<string, RateWindow>()
  return async (key, now, windowMs) => {
    const current = windows.get(key)
    const goesOn = current !== undefined && now < current.endsAt
    const counted = goesOn ? { ...current, hits: current.hits + 1 } : { hits: 1, endsAt: now + windowMs }
    windows.set(key, counted)
    return counted
  }
}
