import { SECOND } from '@guildhall/protocol'
import { type Refusal, refusal } from '../../domain/refusal.ts'
import type { Timer } from '../../ports/timer.ts'
import { networkOf } from '../client-ip.ts'
import { createLine } from './line.ts'

/** A slot that a request holds while it is being worked on. */
export type Place = {
  /** Frees the slot while the request waits for its own caller; afterwards the request queues again. */
  away<T>(wait: () => Promise<T>): Promise<T>
  leave(): void
}

/** Requests at work and in the queue now, and requests refused since the door was made. */
export type DoorCounts = { readonly atWork: number; readonly inLine: number; readonly turnedAway: number }

/** A concurrency limit for one kind of work, with a queue in which callers take turns. */
export type Door = {
  /** Refuses with `service_unavailable` when the queue is full or the wait gets too long. */
  enter(ip: string): Place | Promise<Place>
  counts(): DoorCounts
}

type Waiting = { readonly since: number; readonly admit: () => void; readonly refuse: (refused: Refusal) => void }

/** Longest wait while the door has been full for at most this long: a burst is worked off. */
const CALM_MS = 2 * SECOND
/** Longest wait once it has been full for longer: more arrives than can be done, and waiting helps nobody. */
const BUSY_MS = 50
const LONGEST_LINE = 1_000
/** Queue limit when overloaded, as a multiple of the concurrency limit. A longer queue could not be admitted within BUSY_MS. */
const BUSY_LINE = 2
const OVERLOADED = refusal('service_unavailable')

/**
 * Admits at most `most` requests at once. How long the door has been full decides who is refused, not how many arrive: admitted
 * requests have waited only briefly, so their callers are still there, and the door recovers as soon as the load drops. Of a full
 * queue the caller with the most requests in it is refused.
 */
export function createDoor(most: number, timer: Timer): Door {
  const line = createLine<Waiting>()
  let atWork = 0
  let turnedAway = 0
  let shutSince = 0
  let lastRefusal = Number.NEGATIVE_INFINITY
  let looking = false

  function comeIn(ip: string): void | Promise<void> {
    if (atWork < most) {
      if (++atWork === most) isShut(timer.elapsed())
      return
    }
    const now = timer.elapsed()
    turnAway(now)
    const caller = networkOf(ip)
    if (line.length >= longestLine(now)) {
      const crowdedOut = line.yieldTo(caller)
      if (crowdedOut === undefined) throw refused(now)
      crowdedOut.refuse(refused(now))
    }
    return new Promise((admit, refuse) => {
      line.add(caller, { since: now, admit, refuse })
      lookLater(now)
    })
  }

  function goOut(): void {
    const now = line.length > 0 ? timer.elapsed() : 0
    turnAway(now)
    const next = line.next()
    if (next === undefined) atWork--
    else {
      if (line.length === 0) isShut(now)
      next.admit()
    }
  }

  /**
   * The door is full with an empty queue, so the overload seems over. Shortly after a refusal an empty queue is chance, and waits
   * must not get long again.
   */
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
    for (const { refuse } of line.takeWhile(({ since }) => now - since > longest)) refuse(refused(now))
  }

  /** Expires waits even if no request enters or leaves. */
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

  function createPlace(ip: string): Place {
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
        await comeIn(ip)
        inside = true
        return waited
      },
    }
  }

  return {
    enter(ip) {
      const wait = comeIn(ip)
      return wait === undefined ? createPlace(ip) : wait.then(() => createPlace(ip))
    },
    counts: () => ({ atWork, inLine: line.length, turnedAway }),
  }
}
