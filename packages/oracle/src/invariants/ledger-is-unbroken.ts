import { chainVerifier, growingTree, type LedgerEntry, leafHash } from '@guildhall/protocol'
import type { Books } from '../books/read-books.ts'
import type { EntryRow } from '../books/rows.ts'
import type { Invariant } from '../invariant.ts'

/** I4: entries 1..n without a gap, each linked to the one before; hashes, tree and checkpoints recompute. */
export const ledgerIsUnbroken: Invariant = {
  name: 'I4 ledger unbroken',
  *broken({ books }) {
    yield* wrongEntries(books)
    yield* wrongHead(books)
    yield* wrongNodes(books)
    if (books.entries.length >= 2 && books.checkpoints[0]?.sequence !== 2n) {
      yield 'there is no checkpoint at sequence 2'
    }
  },
}

const published = (row: EntryRow): LedgerEntry => ({
  sequence: Number(row.sequence),
  entry_type: row.type,
  agent_id: row.agent_id,
  public_key: row.public_key,
  profile_hash: row.profile_hash,
  previous_hash: row.previous_hash,
  entry_hash: row.entry_hash,
  timestamp: isoTime(row.sealed_at),
})

const isoTime = (ms: number): string => (Number.isFinite(ms) ? new Date(ms).toISOString() : 'no time')

function* wrongEntries({ entries, checkpoints }: Books): Iterable<string> {
  const verifier = chainVerifier(
    checkpoints.map(({ sequence, tree_size, issued_at, ...rest }) => ({
      ...rest,
      sequence: Number(sequence),
      tree_size: Number(tree_size),
      issued_at: isoTime(issued_at),
    })),
  )
  for (const row of entries) verifier.add(published(row))
  const fault = verifier.finish()
  if (fault) yield `entry ${fault.sequence}: ${fault.reason}`
}

function* wrongHead({ entries, head }: Books): Iterable<string> {
  const last = entries.at(-1)
  const [only] = head
  if ((only?.sequence ?? 0n) !== (last?.sequence ?? 0n)) {
    yield `the head is at ${only?.sequence}, the newest entry is ${last?.sequence}`
  } else if (last && only?.entry_hash !== last.entry_hash) {
    yield `the head has another hash than entry ${last.sequence}`
  }
}

function* wrongNodes({ entries, nodes }: Books): Iterable<string> {
  const kept = new Map(nodes.map(({ level, index, hash }) => [`${level}/${index}`, hash]))
  const tree = growingTree()
  let count = 0
  for (const { entry_hash } of entries) {
    for (const { level, index, hash } of tree.append(leafHash(entry_hash))) {
      count++
      const stored = kept.get(`${level}/${index}`)
      if (stored !== Buffer.from(hash).toString('hex'))
        yield `the tree's node ${level}/${index} is ${stored ?? 'missing'}`
    }
  }
  if (nodes.length !== count) yield `the tree has ${nodes.length} nodes instead of ${count}`
}
