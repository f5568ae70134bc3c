import { fullSubtrees, type GrowingTree, growingTree } from '@guildhall/protocol'
import type { SealingTransaction } from '../ports/ledger-store.ts'

/** The Merkle tree over the first `size` entries, from the stored nodes of its full subtrees. */
export async function treeAt(tx: SealingTransaction, size: number): Promise<GrowingTree> {
  const wanted = fullSubtrees(0, size)
  const hashes = wanted.length === 0 ? [] : await tx.merkleNodes(wanted)
  return growingTree(
    size,
    wanted.map((node, index) => ({ ...node, hash: Buffer.from(hashes[index] ?? '', 'hex') })),
  )
}
