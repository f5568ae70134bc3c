import type { Seal } from '../domain/ledger/ledger.ts'

/** Gives pending entries their place in the chain, one sealer at a time. */
export type Ledger = {
  /** Waits until the pending entry is sealed; null when that takes over a second (it is sealed later all the same). */
  sealed(pendingId: string): Promise<Seal | null>
  /** Seals whatever is pending; the number of entries sealed. */
  sealPending(): Promise<number>
  /** Issues a checkpoint when entries have come since the last one and that is an hour old; false when none was due. */
  attestHead(): Promise<boolean>
  /** False once the database was found to be older than what this node has vouched for: nothing may be written any more. */
  isTrusted(): boolean
  /** Compares the database with the recorded head; throws when an older copy was restored. */
  check(): Promise<void>
}
