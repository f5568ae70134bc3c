import { bytesToHex } from '@noble/hashes/utils.js'
import { describe, expect, test } from 'vitest'
import { generateKey } from '../signing/ed25519.ts'
import { encodePublicKey } from '../signing/public-key.ts'
import { type SignedCheckpoint, signCheckpoint } from './checkpoint.ts'
import { entryHash, type HashedEntryFields, type LedgerEntry, NO_PREVIOUS_HASH } from './entry.ts'
import { growingTree, leafHash } from './merkle.ts'
import { chainVerifier } from './verify-chain.ts'

const registry = generateKey(new Uint8Array(32).fill(20))
const length = 12
const { entries, checkpoints } = ledger(length)

function seal(fields: HashedEntryFields): LedgerEntry {
  return { ...fields, entry_hash: entryHash(fields) }
}

function ledger(count: number): { entries: LedgerEntry[]; checkpoints: SignedCheckpoint[] } {
  const made: LedgerEntry[] = []
  const attested: SignedCheckpoint[] = []
  const tree = growingTree()
  for (let sequence = 1; sequence <= count; sequence++) {
    const entry = seal({
      sequence,
      previous_hash: made.at(-1)?.entry_hash ?? NO_PREVIOUS_HASH,
      entry_type: sequence === 1 ? 'genesis' : 'registration',
      agent_id: sequence === 1 ? null : 'ag_4zvwRjXUKGfvwnParsHAS3HuSVzV5cA4McphgmoCtajS',
      public_key: encodePublicKey(registry.publicKey),
      profile_hash: 'ab'.repeat(32),
      timestamp: new Date(1_760_000_000_000 + sequence).toISOString(),
    })
    made.push(entry)
    tree.append(leafHash(entry.entry_hash))
    if (sequence === 2 || sequence === 10) attested.push(attest(entry, bytesToHex(tree.root())))
  }
  return { entries: made, checkpoints: attested }
}

function attest(entry: LedgerEntry, rootHash: string, key = registry): SignedCheckpoint {
  const { sequence, entry_hash } = entry
  const issued_at = '2026-01-01T00:00:00.000Z'
  return signCheckpoint(key.secretKey, { sequence, entry_hash, tree_size: sequence, root_hash: rootHash, issued_at })
}

function verdict(shown: readonly LedgerEntry[], attested: readonly SignedCheckpoint[] = checkpoints) {
  const verifier = chainVerifier(attested)
  for (const entry of shown) verifier.add(entry)
  return verifier.finish() ?? verifier.verified()
}

const at = (sequence: number): LedgerEntry => entries[sequence - 1] as LedgerEntry
const withEntry = (sequence: number, entry: LedgerEntry) => entries.with(sequence - 1, entry)

/** Rewrites one entry and seals everything after it anew, as an operator could. */
function rewritten(sequence: number, change: Partial<HashedEntryFields>): LedgerEntry[] {
  const made = entries.slice(0, sequence - 1)
  for (const entry of entries.slice(sequence - 1)) {
    const previous_hash = made.at(-1)?.entry_hash ?? NO_PREVIOUS_HASH
    made.push(seal({ ...entry, previous_hash, ...(entry.sequence === sequence ? change : {}) }))
  }
  return made
}

describe('a ledger', () => {
  test('holds from genesis to its end, with its checkpoints', () => {
    expect(verdict(entries)).toBe(length)
    expect(verdict(entries, [])).toBe(length)
    expect(verdict([], [])).toBe(0)
  })

  test('has no gaps, doubles or other start', () => {
    expect(verdict(entries.toSpliced(4, 1))).toEqual({ sequence: 6, reason: 'wrong_sequence' })
    expect(verdict(entries.toSpliced(4, 0, at(4)))).toEqual({ sequence: 4, reason: 'wrong_sequence' })
    expect(verdict(entries.slice(1))).toEqual({ sequence: 2, reason: 'wrong_sequence' })
  })

  test('names the first entry whose hash, link or time is wrong', () => {
    const changed = withEntry(5, { ...at(5), profile_hash: 'ac'.repeat(32) })
    expect(verdict(changed)).toEqual({ sequence: 5, reason: 'wrong_hash' })
    const unlinked = withEntry(5, seal({ ...at(5), previous_hash: at(3).entry_hash }))
    expect(verdict(unlinked)).toEqual({ sequence: 5, reason: 'broken_link' })
    const resealed = withEntry(5, seal({ ...at(5), profile_hash: 'ac'.repeat(32) }))
    expect(verdict(resealed)).toEqual({ sequence: 6, reason: 'broken_link' })
    expect(verdict(rewritten(5, { timestamp: at(3).timestamp }))).toEqual({ sequence: 5, reason: 'time_went_back' })
  })

  test('begins with one genesis that names a key', () => {
    expect(verdict(rewritten(1, { entry_type: 'registration' }))).toEqual({ sequence: 1, reason: 'bad_genesis' })
    expect(verdict(rewritten(3, { entry_type: 'genesis' }))).toEqual({ sequence: 3, reason: 'bad_genesis' })
    expect(verdict(rewritten(1, { public_key: null }))).toEqual({ sequence: 1, reason: 'bad_genesis' })
    expect(verdict(rewritten(1, { public_key: '1'.repeat(32) }))).toEqual({ sequence: 1, reason: 'bad_genesis' })
  })

  test('shows a rewritten history by its checkpoints', () => {
    expect(verdict(rewritten(5, { profile_hash: 'ac'.repeat(32) }))).toEqual({
      sequence: 10,
      reason: 'checkpoint_entry',
    })
    expect(verdict(rewritten(5, { profile_hash: 'ac'.repeat(32) }), [])).toBe(length)
    expect(verdict(entries.slice(0, 9))).toEqual({ sequence: 10, reason: 'checkpoint_beyond_end' })
  })

  test('has checkpoints signed by the key of its genesis, with the right root', () => {
    const [first, second] = checkpoints as [SignedCheckpoint, SignedCheckpoint]
    const root = second.root_hash
    const stranger = attest(at(10), root, generateKey(new Uint8Array(32).fill(21)))
    expect(verdict(entries, [first, stranger])).toEqual({ sequence: 10, reason: 'checkpoint_signature' })
    expect(verdict(entries, [first, attest(at(10), first.root_hash)])).toEqual({
      sequence: 10,
      reason: 'checkpoint_root',
    })
    expect(verdict(entries, [first, second, attest(at(10), root)])).toBe(length)
    const { signature: _, ...fields } = second
    const otherSize = signCheckpoint(registry.secretKey, { ...fields, tree_size: 9 })
    expect(verdict(entries, [otherSize])).toEqual({ sequence: 10, reason: 'checkpoint_root' })
  })

  test('takes the checkpoints of each page with its entries, and notices one that was held back', () => {
    const [first, second] = checkpoints as [SignedCheckpoint, SignedCheckpoint]
    const verifier = chainVerifier([first])
    for (const entry of entries.slice(0, 5)) verifier.add(entry)
    expect(verifier.attest([first, second])).toBeNull()
    for (const entry of entries.slice(5)) verifier.add(entry)
    expect(verifier.finish()).toBeNull()
    expect(verifier.attest([first, second])).toBeNull()
    expect(verifier.attest([{ ...second, issued_at: '2026-02-02T00:00:00.000Z' }])).toEqual({
      sequence: 10,
      reason: 'checkpoint_too_late',
    })
  })

  test('may be attested after its newest entry was read, and that is checked like any other checkpoint', () => {
    const [first, second] = checkpoints as [SignedCheckpoint, SignedCheckpoint]
    const upToTen = () => {
      const verifier = chainVerifier([first])
      for (const entry of entries.slice(0, 10)) verifier.add(entry)
      return verifier
    }
    const late = upToTen()
    expect(late.attest([first, second])).toBeNull()
    for (const entry of entries.slice(10)) expect(late.add(entry)).toBeNull()
    expect(late.finish()).toBeNull()
    const untrue = attest(at(10), first.root_hash)
    expect(upToTen().attest([untrue])).toEqual({ sequence: 10, reason: 'checkpoint_root' })
  })

  test('is attested at sequence 2 and at least every 1,000 entries, where that is asked for', () => {
    const { entries: many, checkpoints: early } = ledger(1_010)
    const missing = (attested: readonly SignedCheckpoint[]) => {
      const verifier = chainVerifier(attested, { isAttested: true })
      for (const entry of many) verifier.add(entry)
      return verifier.finish()
    }
    expect(missing([])).toEqual({ sequence: 2, reason: 'checkpoint_missing' })
    expect(missing(early.slice(1))).toEqual({ sequence: 2, reason: 'checkpoint_missing' })
    expect(missing(early.slice(0, 1))).toEqual({ sequence: 1_002, reason: 'checkpoint_missing' })
    expect(missing(early)).toEqual({ sequence: 1_010, reason: 'checkpoint_missing' })
    many.pop()
    expect(missing(early)).toBeNull()
  })

  test('ends with the entry that its publisher names as the newest', () => {
    const ending = (shown: readonly LedgerEntry[], newest: LedgerEntry) => {
      const verifier = chainVerifier()
      for (const entry of shown) verifier.add(entry)
      return verifier.finish(newest)
    }
    expect(ending(entries, at(12))).toBeNull()
    expect(ending(entries.slice(0, 11), at(12))).toEqual({ sequence: 12, reason: 'entry_held_back' })
    expect(ending([], at(12))).toEqual({ sequence: 1, reason: 'entry_held_back' })
    const other = seal({ ...at(12), profile_hash: 'ac'.repeat(32) })
    expect(ending(entries, other)).toEqual({ sequence: 12, reason: 'newest_differs' })
  })

  test('goes on naming the first fault, and how much held before it', () => {
    const verifier = chainVerifier([])
    const bad = { ...at(3), entry_hash: NO_PREVIOUS_HASH }
    for (const entry of [at(1), at(2)]) expect(verifier.add(entry)).toBeNull()
    for (const entry of [bad, at(3), at(4)]) expect(verifier.add(entry)).toEqual({ sequence: 3, reason: 'wrong_hash' })
    expect(verifier.verified()).toBe(2)
  })

  test.each([
    ['an entry with a number far ahead', [{ ...at(1), sequence: 500 }], [], 0],
    ['an entry twice', [at(1), at(2), at(3), at(4), at(4)], [], 4],
    ['a checkpoint beyond the entries', entries.slice(0, 5), checkpoints, 5],
  ])('counts only entries that were shown and held: %s', (_, shown, attested, count) => {
    const verifier = chainVerifier(attested)
    for (const entry of shown) verifier.add(entry)
    expect(verifier.finish()).not.toBeNull()
    expect(verifier.verified()).toBe(count)
  })
})
