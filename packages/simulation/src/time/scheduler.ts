import type { Chance } from './chance.ts'
import type { Trace } from './trace.ts'

/** One life of a node, from its start to its crash. Nothing that a dead one waits for ever happens. */
export type Life = { readonly name: string; alive: boolean; frozenUntil: number }

type Step = { readonly life: Life | null; readonly what: string; run(): void }
type Alarm = { readonly at: number; readonly nr: number; readonly life: Life | null; ring: (() => void) | null }

export type Scheduler = {
  now(): number
  /** Runs something at a moment of the scheduler's choosing: anything else may happen before it. */
  step<T>(life: Life | null, what: string, act: () => T): Promise<T>
  /** Calls `ring` after this time; returns a function that cancels it. */
  after(life: Life | null, ms: number, ring: () => void): () => void
  pause(life: Life | null, ms: number): Promise<void>
  /** The number of steps so far. */
  steps(): number
  /** Runs steps until that time, or until nothing is left to do. */
  run(until: number): Promise<void>
}

/**
 * A day with more steps than this does not come to rest. A delivered task whose payer has taken the deposit back is looked at every
 * ten minutes, which takes 600,000 steps in 90 days.
 */
export const MOST_STEPS = 2_000_000

/**
 * One step at a time, in random order. Each step takes a little time; when nothing is left to do, time jumps to the next alarm.
 */
export function createScheduler(chance: Chance, trace: Trace, begin: number, haste: number): Scheduler {
  let now = begin
  let count = 0
  let steps = 0
  const ready: Step[] = []
  const alarms: Alarm[] = []

  function step<T>(life: Life | null, what: string, act: () => T): Promise<T> {
    if (life !== null && !life.alive) return new Promise(() => {})
    if (chance.happens(haste) && isAwake(life)) {
      trace.mark(what, now)
      return new Promise((resolve) => resolve(act()))
    }
    return new Promise((resolve, reject) => {
      ready.push({
        life,
        what,
        run() {
          try {
            resolve(act())
          } catch (error) {
            reject(error)
          }
        },
      })
    })
  }

  function after(life: Life | null, ms: number, ring: () => void): () => void {
    if (life !== null && !life.alive) return () => {}
    const alarm: Alarm = { at: now + Math.max(0, ms), nr: count++, life, ring }
    // Sorted with the earliest alarm last; most are set for soon.
    let place = alarms.length
    while (place > 0 && (alarms[place - 1]?.at ?? 0) <= alarm.at) place--
    alarms.splice(place, 0, alarm)
    return () => {
      alarm.ring = null
    }
  }

  function wake(): void {
    for (let last = alarms.at(-1); last !== undefined && last.at <= now; last = alarms.at(-1)) {
      alarms.pop()
      const { life, ring } = last
      if (ring === null || life?.alive === false) continue
      const alarm = last
      ready.push({ life, what: 'alarm', run: () => alarm.ring?.() })
    }
  }

  const isAwake = (life: Life | null) => life === null || life.frozenUntil <= now
  const isAble = ({ life }: Step) => isAwake(life)

  function take(): Step | null {
    while (ready.length > 0) {
      const able = ready.some((one) => !isAble(one)) ? ready.filter(isAble) : ready
      if (able.length === 0) return null
      const chosen = able[chance.below(able.length)] as Step
      const place = ready.indexOf(chosen)
      const last = ready.pop() as Step
      if (place < ready.length) ready[place] = last
      if (chosen.life?.alive !== false) return chosen
    }
    return null
  }

  /** The next time at which something can happen. */
  function nextTime(): number {
    let next = Number.POSITIVE_INFINITY
    for (let place = alarms.length - 1; place >= 0; place--) {
      const alarm = alarms[place] as Alarm
      if (alarm.ring === null || alarm.life?.alive === false) continue
      next = alarm.at
      break
    }
    for (const { life } of ready) if (life?.alive) next = Math.min(next, life.frozenUntil)
    return next
  }

  async function run(until: number): Promise<void> {
    await settled()
    while (now <= until && steps < MOST_STEPS) {
      wake()
      const chosen = take()
      if (chosen !== null) {
        if (chance.happens(0.25)) now += chance.below(20)
        trace.mark(chosen.what, now)
        steps++
        chosen.run()
        await settled()
        continue
      }
      const next = nextTime()
      if (next > until) break
      now = Math.max(now, next)
    }
    now = Math.max(now, until)
  }

  return {
    now: () => now,
    steps: () => steps,
    step,
    after,
    pause: (life, ms) => new Promise((resolve) => void after(life, ms, resolve)),
    run,
  }
}

/** Resolves when all pending promise callbacks have run. */
const settled = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve))
