import { SECOND } from '@guildhall/protocol'
import { type Refusal, refusal } from '../../domain/refusal.ts'
import type { Timer } from '../../ports/timer.ts'

/** What a request holds while it is at work. */
export type Place = {
  /** Lets somebody else in while the request waits for its own caller; then it stands in line again. */
  away<T>(wait: () => Promise<T>): Promise<T>
  leave(): void
}

/** How it goes at a door: who is at work and who waits now, and how many have been turned away since it was made. */
export type DoorCounts = { readonly atWork: number; readonly inLine: number; readonly turnedAway: number }

/** Work of one kind: so much of it at once, and a line in front. */
export type Door = {
  /** Refuses with `service_unavailable` when the wait is, or would be, too long. */
  enter(): Place | Promise<Place>
  counts(): DoorCounts
}

type Waiting = { readonly since: number; readonly admit: () => void; readonly refuse: (refused: Refusal) => void }

/** How long one may wait at a door that was open a moment ago: a burst is worked off. */
const CALM_MS = 2 * SECOND
/** How long at one that has been shut for as long as that: more comes than can be done, and waiting helps nobody. */
const BUSY_MS = 50
const LONGEST_LINE = 1_000
/** Of those who come in excess: times as many as may be at work. More could not all be let in within that moment. */
const BUSY_LINE = 2
const OVERLOADED = refusal('service_unavailable')

/**
 * Lets so many in at once. How long the door has been shut decides who is turned away, not how many come: whoever is let in has
 * waited for little, so that the work is still of use to somebody, and all is well again as soon as less comes.
 */
export function createDoor(most: number, timer: Timer): Door {
  const line: Waiting[] = []
  let atWork = 0
  let turnedAway = 0
  let shutSince = 0
  let lastRefusal = Number.NEGATIVE_INFINITY
  let looking = false

  function comeIn(): void | Promise<void> {
    if (atWork < most) {
      if (++atWork === most) isShut(timer.elapsed())
      return
    }
    const now = timer.elapsed()
    turnAway(now)
    if (line.length >= longestLine(now)) throw refused(now)
    return new Promise((admit, refuse) => {
      line.push({ since: now, admit, refuse })
      lookLater(now)
    })
  }

  function goOut(): void {
    const now = line.length > 0 ? timer.elapsed() : 0
    turnAway(now)
    const next = line.shift()
    if (next === undefined) atWork--
    else {
      if (line.length === 0) isShut(now)
      next.admit()
    }
  }

  /** With nobody in line. While others are being turned away that is chance, and no reason to let many wait for long again. */
  function isShut(now: number): void {
    if (now - lastRefusal > BUSY_MS) shutSince = now
  }

  const isCalm = (now: number): boolean => now - shutSince <= CALM_MS
  const patience = (now: number): number => (isCalm(now) ? CALM_MS : BUSY_MS)
  const longestLine = (now: number): number => (isCalm(now) ? LONGEST_LINE : BUSY_LINE * most)

  function refused(now: number): Refusal {
    turnedAway++
    lastRefusal = now
    return OVERLOADED
  }

  function turnAway(now: number): void {
    const longest = patience(now)
    for (let [first] = line; first !== undefined && now - first.since > longest; [first] = line) {
      line.shift()
      first.refuse(refused(now))
    }
  }

  /** Nobody may come or go for a while: those in line are looked after all the same. */
  function lookLater(now: number): void {
    if (looking) return
    looking = true
    timer.after(patience(now) + 1, () => {
      looking = false
      const later = timer.elapsed()
      turnAway(later)
      if (line.length > 0) lookLater(later)
    })
  }

  function createPlace(): Place {
    let inside = true
    const leave = () => {
      if (inside) goOut()
      inside = false
    }
    return {
      leave,
      async away(wait) {
        leave()
        const waited = await wait()
        await comeIn()
        inside = true
        return waited
      },
    }
  }

  return {
    enter() {
      const wait = comeIn()
      return wait === undefined ? createPlace() : wait.then(createPlace)
    },
    counts: () => ({ atWork, inLine: line.length, turnedAway }),
  }
}
