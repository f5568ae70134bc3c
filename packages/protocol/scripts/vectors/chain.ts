import type { SignedCheckpoint } from '../../src/ledger/checkpoint.ts'
import type { HashedEntryFields, LedgerEntry } from '../../src/ledger/entry.ts'
import { stranger } from './keys.ts'
import { attest, seal, smallLedger } from './small-ledger.ts'

const { entries, checkpoints, roots } = smallLedger()

export function chainVectors() {
  const [first, second] = checkpoints as [SignedCheckpoint, SignedCheckpoint]
  const byStranger = attest(at(7), roots[7] ?? new Uint8Array(), stranger.secretKey)
  const wrongRoot = attest(at(7), roots[6] ?? new Uint8Array())
  return {
    about:
      'Whole ledgers with their checkpoints; the key of checkpoints is the genesis entry\u2019s. fault: the first sequence that does not hold, and why.',
    cases: [
      { name: 'a good ledger', entries, checkpoints, fault: null },
      { name: 'a good ledger without checkpoints', entries, checkpoints: [], fault: null },
      fault('a gap', entries.toSpliced(3, 1), checkpoints, 5, 'wrong_sequence'),
      fault(
        'a changed document',
        entries.with(3, { ...at(4), profile_hash: '0'.repeat(64) }),
        checkpoints,
        4,
        'wrong_hash',
      ),
      fault(
        'a fork',
        entries.with(3, seal({ ...at(4), timestamp: at(5).timestamp }, null)),
        checkpoints,
        5,
        'broken_link',
      ),
      fault(
        'a history written anew',
        rewritten(4, { profile_hash: '0'.repeat(64) }),
        checkpoints,
        7,
        'checkpoint_entry',
      ),
      fault('a time that went back', rewritten(4, { timestamp: at(2).timestamp }), checkpoints, 4, 'time_went_back'),
      fault('no genesis', rewritten(1, { entry_type: 'registration' }), checkpoints, 1, 'bad_genesis'),
      fault('a second genesis', rewritten(4, { entry_type: 'genesis' }), checkpoints, 4, 'bad_genesis'),
      fault('entries held back', entries.slice(0, 6), checkpoints, 7, 'checkpoint_beyond_end'),
      fault('a checkpoint by a stranger', entries, [first, byStranger], 7, 'checkpoint_signature'),
      fault('a checkpoint with another root', entries, [first, wrongRoot], 7, 'checkpoint_root'),
      fault('a bent signature', entries, [first, { ...second, signature: first.signature }], 7, 'checkpoint_signature'),
    ],
  }
}

function fault(
  name: string,
  shown: readonly LedgerEntry[],
  attested: readonly SignedCheckpoint[],
  sequence: number,
  reason: string,
) {
  return { name, entries: shown, checkpoints: attested, fault: { sequence, reason } }
}

function at(sequence: number): LedgerEntry {
  const entry = entries[sequence - 1]
  if (entry === undefined) throw new RangeError(`no entry ${sequence}`)
  return entry
}

function rewritten(sequence: number, change: Partial<HashedEntryFields>): readonly LedgerEntry[] {
  const made = entries.slice(0, sequence - 1)
  for (const entry of entries.slice(sequence - 1)) {
    const previous = made.at(-1)?.entry_hash ?? entry.previous_hash
    const fields = entry.sequence === sequence ? { ...entry, ...change } : entry
    made.push(seal({ ...fields, previous_hash: previous }, entry.agent_name ?? null))
  }
  return made
}
