/** Requests that are about to become changes: whoever would begin a transaction without them can wait for them. */
export type Arrivals = {
  /** Counts as on its way until `arriving` has ended. */
  follow<T>(arriving: Promise<T>): Promise<T>
  /** Begins once all those have come that are on their way now; at once if there are none. */
  whenHere(begin: () => void): void
}

export function createArrivals(): Arrivals {
  const onTheirWay = new Set<Promise<unknown>>()
  return {
    follow(arriving) {
      onTheirWay.add(arriving)
      const arrived = () => onTheirWay.delete(arriving)
      arriving.then(arrived, arrived)
      return arriving
    },
    whenHere(begin) {
      if (onTheirWay.size === 0) return begin()
      // In the next turn, when the last one has come as far as its transaction.
      void Promise.allSettled(onTheirWay).then(() => setImmediate(begin))
    },
  }
}
