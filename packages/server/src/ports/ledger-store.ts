import type { Instant } from '../domain/instant.ts'
import type { Checkpoint, LedgerEntry, PendingEntry, Seal } from '../domain/ledger/ledger.ts'

export type LedgerHead = { readonly sequence: number; readonly entryHash: string; readonly timestamp: Instant }

type NodePlace = { readonly level: number; readonly index: number }

export type LedgerReads = {
  ledgerHead(): Promise<LedgerHead | null>
  ledgerEntry(sequence: number): Promise<LedgerEntry | null>
  /** Oldest first, both ends included. */
  ledgerRange(from: number, to: number): Promise<readonly LedgerEntry[]>
  /** In order: the first checkpoint, those from `from` to `to`, and the `newest` latest ones. */
  checkpoints(from: number, to: number, newest: number): Promise<readonly Checkpoint[]>
  /** Hashes of complete subtrees of the Merkle tree; the leaves are level 0. */
  merkleNodes(wanted: readonly NodePlace[]): Promise<readonly string[]>
  /** The seal of a pending entry; null until it has one. */
  seal(pendingId: string): Promise<Seal | null>
  /** Whether entries wait for the sealer. */
  hasPending(): Promise<boolean>
  /** Whether there are entries after the last checkpoint, and that was issued at `issuedBy` or earlier. */
  isCheckpointDue(issuedBy: Instant): Promise<boolean>
}

export type LedgerWrites = {
  appendPending(entry: PendingEntry): Promise<void>
}

/** What only the sealer may do, while it holds the lock on the head. */
export type SealingTransaction = Pick<LedgerReads, 'ledgerEntry' | 'merkleNodes'> & {
  /** Locks the head row; waits while another sealer holds it. */
  lockHead(): Promise<LedgerHead>
  /** Pending entries in the order in which they were inserted. */
  pending(limit: number): Promise<readonly PendingEntry[]>
  /** Writes the sealed entries, adds the seals to their receipts, deletes the pending rows and moves the head. */
  append(
    sealed: readonly { readonly pending: PendingEntry; readonly entry: LedgerEntry }[],
    nodes: readonly (NodePlace & { readonly hash: string })[],
  ): Promise<void>
  addCheckpoint(checkpoint: Checkpoint): Promise<void>
  lastCheckpoint(): Promise<Checkpoint | null>
}
