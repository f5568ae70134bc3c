import type { Store } from '../../src/ports/store.ts'
import type { World } from '../../src/ports/world.ts'
import { NOW } from './samples.ts'
import { silentLog } from './store.ts'

/** A world with nothing but a store, in which no time passes: for actions that ask nobody outside. */
export const stillWorld = (store: Store): World =>
  ({
    store,
    clock: { now: () => NOW },
    random: { bytes: (count: number) => new Uint8Array(count) },
    log: silentLog,
    failpoints: { reach: async () => {} },
    rules: { networks: [], maxHourlyPayoutAtomic: 1_000_000_000n },
    nudge: () => {},
  }) as unknown as World
