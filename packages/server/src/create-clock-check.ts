import { SECOND } from '@guildhall/protocol'
import type { Log } from './ports/log.ts'

/** Whether this machine's clock can be trusted. */
export type ClockCheck = {
  /** How far it is from the database's clock, which all nodes share, in milliseconds; 0 when that is close enough. */
  difference(): Promise<number>
  /** Synchronous while the last comparison is fresh and the clock has not jumped since. */
  holds(): boolean | Promise<boolean>
}

type Parts = {
  readonly machine: () => number
  /** A monotonic clock, which setting the machine's clock does not affect. */
  readonly elapsed: () => number
  readonly database: () => Promise<number>
  readonly log: Log
  /** Null: the clocks are not compared. */
  readonly maxMs: number | null
}

const FRESH_MS = SECOND

/**
 * A node with a wrong clock would end claims and reviews early and refuse valid signatures. Between two comparisons with the
 * database a monotonic clock reveals a jump, so that not even one request is judged by the wrong time.
 */
export function createClockCheck({ machine, elapsed, database, log, maxMs }: Parts): ClockCheck {
  let compared: { readonly at: number; readonly shared: number } | null = null
  let comparing: Promise<boolean> | null = null
  let held = true

  async function compare(): Promise<number> {
    const before = elapsed()
    const shared = await database()
    const at = elapsed()
    // The database read its clock somewhere between `before` and `at`.
    compared = { at, shared: shared + (at - before) / 2 }
    return offBy()
  }

  function offBy(): number {
    if (maxMs === null || compared === null) return 0
    const off = machine() - compared.shared - (elapsed() - compared.at)
    return Math.abs(off) > maxMs ? off : 0
  }

  async function compareAndTell(): Promise<boolean> {
    try {
      const off = await compare()
      if (held && off !== 0)
        log.alarm('the clock differs from the database’s: no changes and no jobs until it agrees', { ms: off })
      if (!held && off === 0) log.info('the clock agrees with the database’s again')
      held = off === 0
      return held
    } finally {
      comparing = null
    }
  }

  return {
    difference: async () => (maxMs === null ? 0 : compare()),
    holds() {
      if (maxMs === null) return true
      const isFresh = compared !== null && elapsed() - compared.at < FRESH_MS
      if (isFresh && held && offBy() === 0) return true
      comparing ??= compareAndTell()
      return comparing
    },
  }
}
