import { pause, type Timer } from '../ports/timer.ts'

/** Callers of whom it is being found out who they are, and who then change something: a transaction can wait for them. */
export type Arrivals = {
  /** Counts as on its way until `arriving` has ended. */
  follow<T>(arriving: Promise<T>): Promise<T>
  /** Begins once all those have come that are on their way now, or take too long; at once if there are none. */
  whenHere(begin: () => void): void
}

const LONGEST_WAIT_MS = 10

export function createArrivals(timer: Timer): Arrivals {
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
      const here = Promise.race([Promise.allSettled(onTheirWay), pause(timer, LONGEST_WAIT_MS)])
      void here.then(() => setImmediate(begin))
    },
  }
}
