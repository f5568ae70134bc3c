import type { GrowingTree } from '@guildhall/protocol'
import type { RecordedHead } from '../ports/head-record.ts'
import type { SealingTransaction } from '../ports/ledger-store.ts'
import { treeAt } from './tree-at.ts'

/** Remembers the tree of the head that was sealed last: it need not be read again unless another node has sealed meanwhile. */
export type NewestTree = {
  /** The tree at this head, to be appended to. It is forgotten until it is kept again. */
  take(tx: SealingTransaction, head: RecordedHead): Promise<GrowingTree>
  /** Once what was appended is committed. */
  keep(head: RecordedHead, tree: GrowingTree): void
}

/** The hash of an entry stands for all entries before it, and so for their tree. */
export function newestTree(): NewestTree {
  let kept: { readonly entryHash: string; readonly tree: GrowingTree } | null = null
  return {
    async take(tx, { sequence, entryHash }) {
      const known = kept
      kept = null
      return known?.entryHash === entryHash ? known.tree : treeAt(tx, sequence)
    },
    keep({ entryHash }, tree) {
      kept = { entryHash, tree }
    },
  }
}
