import { chainVerifier } from '@guildhall/protocol'
import { isoTime, publishedEntry } from '../books/published-entry.ts'
import type { Invariant } from '../invariant.ts'

/** I4: the registry has signed the ledger early on, and its current content. */
export const checkpointsHold: Invariant = {
  name: 'I4 checkpoints hold',
  *broken({ books: { entries, checkpoints } }) {
    if (entries.length >= 2 && checkpoints[0]?.sequence !== 2n) yield 'there is no checkpoint at sequence 2'
    const verifier = chainVerifier(
      checkpoints.map(({ sequence, tree_size, issued_at, ...rest }) => ({
        ...rest,
        sequence: Number(sequence),
        tree_size: Number(tree_size),
        issued_at: isoTime(issued_at),
      })),
    )
    for (const row of entries) verifier.add(publishedEntry(row))
    const fault = verifier.finish()
    if (fault?.reason.startsWith('checkpoint')) yield `entry ${fault.sequence}: ${fault.reason}`
  },
}
