import type { GrowingTree } from '@guildhall/protocol'
import type { Checkpoint } from '../domain/ledger/ledger.ts'
import type { LedgerHead, SealingTransaction } from '../ports/ledger-store.ts'
import { treeAt } from './tree-at.ts'

/** Where the ledger ends: its head, the tree of all entries, and the newest checkpoint. */
export type End = {
  readonly head: LedgerHead
  readonly tree: GrowingTree
  readonly checkpoint: Checkpoint | null
}

/** The end at which this node has sealed last. It is forgotten when it is taken, because its tree is appended to. */
export type KnownEnd = {
  /** To go on from it unread: null unless it was still the end when this node looked last, so that nobody else seems to seal. */
  takeUnread(): End | null
  /** The tree at this head: read only if another node has sealed since. */
  takeTree(tx: SealingTransaction, head: LedgerHead): Promise<GrowingTree>
  /** Once what was appended is committed. */
  keep(end: End): void
}

export function knownEnd(): KnownEnd {
  let kept: End | null = null
  let isAlone = false

  function take(): End | null {
    const known = kept
    kept = null
    return known
  }

  return {
    takeUnread: () => (isAlone ? take() : null),
    /** The hash of an entry stands for all entries before it, and so for their tree. */
    async takeTree(tx, { sequence, entryHash }) {
      const known = take()
      isAlone = known?.head.entryHash === entryHash
      return isAlone && known !== null ? known.tree : treeAt(tx, sequence)
    },
    keep(end) {
      kept = end
    },
  }
}
