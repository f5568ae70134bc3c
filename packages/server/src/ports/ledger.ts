import type { Seal } from '../domain/ledger/ledger.ts'

/** Gives pending entries their place in the ledger, one sealer at a time. */
export type Ledger = {
  /** Waits until the pending entry is sealed; null after a second, and then it is sealed later. */
  sealed(pendingId: string): Promise<Seal | null>
  /** Seals whatever is pending; returns the number of entries. */
  sealPending(): Promise<number>
  /** Issues a checkpoint if the last one is an hour old and there are newer entries; false when none was due. */
  attestHead(): Promise<boolean>
  /** False once the database was found to be older than what this node has seen: nothing may be written any more. */
  isTrusted(): boolean
  /** Compares the database with the recorded head; throws when an older copy was restored. */
  check(): Promise<void>
}
