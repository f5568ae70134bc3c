/** Runs work unless as much of it as allowed is under way: a slow neighbour must not collect everybody who waits for it. */
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
