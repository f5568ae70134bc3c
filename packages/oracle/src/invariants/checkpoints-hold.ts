import { chainVerifier } from '@guildhall/protocol'
import { isoTime, publishedEntry } from '../books/published-entry.ts'
import type { Invariant } from '../invariant.ts'

/** I4: the registry has signed the ledger early on, then often enough, and as it is now. */
export const checkpointsHold: Invariant = {
  name: 'I4 checkpoints hold',
  *broken({ books: { entries, checkpoints } }) {
    const published = checkpoints.map(({ sequence, tree_size, issued_at, ...rest }) => ({
      ...rest,
      sequence: Number(sequence),
      tree_size: Number(tree_size),
      issued_at: isoTime(issued_at),
    }))
    const verifier = chainVerifier(published, { isAttested: true })
    for (const row of entries) verifier.add(publishedEntry(row))
    const fault = verifier.finish()
    if (fault?.reason.startsWith('checkpoint')) yield `entry ${fault.sequence}: ${fault.reason}`
  },
}
