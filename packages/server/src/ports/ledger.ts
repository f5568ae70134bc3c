import type { Seal } from '../domain/ledger/ledger.ts'

/** Gives pending entries their place in the chain, one sealer at a time. */
export type Ledger = {
  /** Waits until the pending entry is sealed; null when that takes over a second (it is sealed later all the same). */
  sealed(pendingId: string): Promise<Seal | null>
  /** Seals whatever is pending; the number of entries sealed. */
  sealPending(): Promise<number>
}
