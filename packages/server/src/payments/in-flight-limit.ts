/** Runs work unless `max` runs are in flight: callers must not pile up on a slow service. */
export type InFlightLimit = <T>(work: () => Promise<T>) => Promise<T | 'busy'>

export function limitInFlight(max: number): InFlightLimit {
  let inFlight = 0
  return async (work) => {
    if (inFlight >= max) return 'busy'
    inFlight++
    try {
      return await work()
    } finally {
      inFlight--
    }
  }
}
