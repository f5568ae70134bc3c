import { pause, type Timer } from '../ports/timer.ts'

/** Agents who are still being identified, and who then change something: a transaction can wait for them. */
export type Arrivals = {
  /** Counts as on its way until `arriving` has ended, or has taken too long. */
  follow<T>(arriving: Promise<T>): Promise<T>
  /** Begins once all those have come that are on their way now; at once if there are none. */
  whenHere(begin: () => void): void
}

/** Whoever takes longer is stuck, and holds nobody up any more. */
const LONGEST_WAY_MS = 10

export function createArrivals(timer: Timer): Arrivals {
  const setOut = new Map<Promise<unknown>, number>()
  return {
    follow(arriving) {
      setOut.set(arriving, timer.elapsed())
      const arrived = () => setOut.delete(arriving)
      arriving.then(arrived, arrived)
      return arriving
    },
    whenHere(begin) {
      const since = timer.elapsed() - LONGEST_WAY_MS
      const onTheirWay = [...setOut].filter(([, at]) => at > since).map(([arriving]) => arriving)
      if (onTheirWay.length === 0) return begin()
      // In the next turn, when the last one has come as far as its transaction.
      const here = Promise.race([Promise.allSettled(onTheirWay), pause(timer, LONGEST_WAY_MS)])
      void here.then(() => setImmediate(begin))
    },
  }
}
