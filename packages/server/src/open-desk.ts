import { type PayoutsStanding, pausePayouts, payoutsStanding, resumePayouts } from './actions/switch-payouts.ts'
import { createRandom } from './create-random.ts'
import type { Log } from './ports/log.ts'
import { createPostgresStore } from './store/postgres-store.ts'

/** What an operator can do with the database alone; running nodes act on it. */
export type Desk = {
  payouts(): Promise<PayoutsStanding>
  pausePayouts(reason: string): Promise<void>
  resumePayouts(): Promise<number>
  close(): Promise<void>
}

export function openDesk(databaseUrl: string, log: Log): Desk {
  const store = createPostgresStore({ databaseUrl, maxConnections: 2, log })
  const office = { store, clock: { now: () => Date.now() }, random: createRandom() }
  return {
    payouts: () => payoutsStanding(office),
    pausePayouts: (reason) => pausePayouts(office, reason),
    resumePayouts: () => resumePayouts(office),
    close: () => store.close(),
  }
}
