import {
  CHECKPOINT_EVERY,
  encodePublicKey,
  entryHash,
  generateKey,
  growingTree,
  leafHash,
  NO_PREVIOUS_HASH,
  signCheckpoint,
} from '@guildhall/protocol'
import { expect, test } from 'vitest'
import { publishedEntry } from '../books/published-entry.ts'
import type { Books } from '../books/read-books.ts'
import type { CheckpointRow, EntryRow } from '../books/rows.ts'
import { checkpointsHold } from './checkpoints-hold.ts'

const registry = generateKey(new Uint8Array(32).fill(20))
const NOW = 1_760_000_000_000
const entries: EntryRow[] = []
const roots: string[] = []

const tree = growingTree()
for (let sequence = 1n; sequence <= BigInt(CHECKPOINT_EVERY + 2); sequence++) {
  const row: EntryRow = {
    sequence,
    type: sequence === 1n ? 'genesis' : 'registration',
    agent_id: null,
    public_key: encodePublicKey(registry.publicKey),
    profile_hash: 'ab'.repeat(32),
    previous_hash: entries.at(-1)?.entry_hash ?? NO_PREVIOUS_HASH,
    entry_hash: '',
    sealed_at: NOW,
  }
  const entry = { ...row, entry_hash: entryHash(publishedEntry(row)) }
  entries.push(entry)
  tree.append(leafHash(entry.entry_hash))
  roots.push(Buffer.from(tree.root()).toString('hex'))
}

function checkpointAt(sequence: number): CheckpointRow {
  const [entry_hash, root_hash] = [entries[sequence - 1]?.entry_hash ?? '', roots[sequence - 1] ?? '']
  const issued_at = new Date(NOW).toISOString()
  const fields = { sequence, entry_hash, tree_size: sequence, root_hash, issued_at }
  const { signature } = signCheckpoint(registry.secretKey, fields)
  return { ...fields, sequence: BigInt(sequence), tree_size: BigInt(sequence), issued_at: NOW, signature }
}

function broken(length: number, attested: readonly number[]) {
  const books = { entries: entries.slice(0, length), checkpoints: attested.map(checkpointAt) }
  return [...checkpointsHold.broken({ books: books as unknown as Books, chains: [], escrowWallet: '0x', now: null })]
}

test('the second entry is attested, and nothing goes on for a thousand entries without another checkpoint', () => {
  expect(broken(1, [])).toEqual([])
  expect(broken(2, [])).toEqual(['entry 2: checkpoint_missing'])
  expect(broken(1_001, [2])).toEqual([])
  expect(broken(1_002, [2])).toEqual(['entry 1002: checkpoint_missing'])
  expect(broken(1_002, [2, 1_000])).toEqual([])
})
