import { chainVerifier, growingTree, leafHash } from '@guildhall/protocol'
import { publishedEntry } from '../books/published-entry.ts'
import type { Books } from '../books/read-books.ts'
import type { Invariant } from '../invariant.ts'

/** I4: entries 1..n without a gap, each linked to the one before; hashes and tree recompute. */
export const ledgerIsUnbroken: Invariant = {
  name: 'I4 ledger unbroken',
  *broken({ books }) {
    yield* wrongEntries(books)
    yield* wrongHead(books)
    yield* wrongNodes(books)
  },
}

function* wrongEntries({ entries }: Books): Iterable<string> {
  const verifier = chainVerifier()
  for (const row of entries) verifier.add(publishedEntry(row))
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
