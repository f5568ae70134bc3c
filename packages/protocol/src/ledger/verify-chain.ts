import { bytesToHex } from '@noble/hashes/utils.js'
import { encodePublicKey, parsePublicKey } from '../signing/public-key.ts'
import { CHECKPOINT_EVERY, FIRST_CHECKPOINT, type SignedCheckpoint, verifyCheckpoint } from './checkpoint.ts'
import { entryHash, type LedgerEntry, NO_PREVIOUS_HASH } from './entry.ts'
import { growingTree, leafHash } from './merkle.ts'

export type ChainFaultReason =
  | 'wrong_sequence'
  | 'bad_genesis'
  | 'broken_link'
  | 'wrong_hash'
  | 'time_went_back'
  | 'checkpoint_signature'
  | 'checkpoint_entry'
  | 'checkpoint_root'
  | 'checkpoint_too_late'
  | 'checkpoint_missing'
  | 'checkpoint_beyond_end'
  | 'entry_held_back'
  | 'newest_differs'

/** The first place where a ledger does not hold. */
export type ChainFault = {
  readonly sequence: number
  readonly reason: ChainFaultReason
}

export type ChainVerifier = {
  /** Adds checkpoints published with the entries to come; repeated ones are allowed. */
  attest(checkpoints: readonly SignedCheckpoint[]): ChainFault | null
  /** Takes the next entry; returns the first fault of the ledger, also on every later call. */
  add(entry: LedgerEntry): ChainFault | null
  /**
   * After the last entry: a checkpoint beyond it means that entries were withheld, and so does a newest entry, as the service
   * names it, that is not the last one. A ledger has at least its genesis.
   */
  finish(newest?: Pick<LedgerEntry, 'sequence' | 'entry_hash'>): ChainFault | null
  /** The number of entries that were added and held, up to the first fault. */
  verified(): number
  /** The last of them that a checkpoint covers; those after it rest on their links alone, which anybody could have written. */
  attested(): number
  /** The key that the genesis entry names: anybody can write a ledger that holds, under a key of their own. */
  registryKey(): string | null
  rootHash(): string
}

export type ChainDemands = {
  /**
   * Whether entries have to be attested as often as the registry attests them. Without that, anybody could write a ledger that
   * names the registry's key and leave the checkpoints out.
   */
  readonly isAttested?: boolean
}

/** Checks a ledger from its genesis, entry by entry, using only the checkpoints published with it. */
export function chainVerifier(
  checkpoints: readonly SignedCheckpoint[] = [],
  { isAttested = false }: ChainDemands = {},
): ChainVerifier {
  const known = new Set<string>()
  const waiting = new Map<number, SignedCheckpoint[]>()
  const tree = growingTree()
  let registryKey: Uint8Array | null = null
  let last: LedgerEntry | null = null
  let attestedTo = 0
  let fault: ChainFault | null = null
  let held = 0

  /** A fault of checkpoints or of the end: what it names may lie before or beyond the entries so far. */
  function keep(found: ChainFault | null): ChainFault | null {
    if (fault === null && found !== null) {
      fault = found
      held = Math.max(0, Math.min(held, found.sequence - 1))
    }
    return fault
  }

  function faultOfEntry(entry: LedgerEntry): ChainFaultReason | null {
    if (entry.sequence !== tree.size() + 1) return 'wrong_sequence'
    if ((entry.entry_type === 'genesis') !== (last === null)) return 'bad_genesis'
    if (entry.previous_hash !== (last?.entry_hash ?? NO_PREVIOUS_HASH)) return 'broken_link'
    if (entry.entry_hash !== entryHash(entry)) return 'wrong_hash'
    if (last !== null && entry.timestamp < last.timestamp) return 'time_went_back'
    if (last === null) registryKey = parsePublicKey(entry.public_key ?? '')
    return registryKey === null ? 'bad_genesis' : null
  }

  function faultOfCheckpoint(checkpoint: SignedCheckpoint, entry: LedgerEntry): ChainFaultReason | null {
    if (registryKey === null || !verifyCheckpoint(registryKey, checkpoint)) return 'checkpoint_signature'
    if (checkpoint.entry_hash !== entry.entry_hash) return 'checkpoint_entry'
    const sameTree = checkpoint.tree_size === tree.size() && checkpoint.root_hash === bytesToHex(tree.root())
    if (!sameTree) return 'checkpoint_root'
    attestedTo = entry.sequence
    return null
  }

  const lacksCheckpoint = (sequence: number): boolean =>
    isAttested && attestedTo < sequence && (sequence === FIRST_CHECKPOINT || sequence - attestedTo >= CHECKPOINT_EVERY)

  function faultOfEnd(newest: Pick<LedgerEntry, 'sequence' | 'entry_hash'> | undefined): ChainFault | null {
    if (newest !== undefined && (last === null || tree.size() < newest.sequence))
      return { sequence: tree.size() + 1, reason: 'entry_held_back' }
    if (newest !== undefined && last?.entry_hash !== newest.entry_hash)
      return { sequence: newest.sequence, reason: 'newest_differs' }
    return waiting.size > 0 ? { sequence: Math.min(...waiting.keys()), reason: 'checkpoint_beyond_end' } : null
  }

  /**
   * A checkpoint of the last entry may come some time after it: it is checked against the current tree. A checkpoint of an
   * earlier entry can no longer be checked: a service that shows it this late has withheld it.
   */
  function attest(more: readonly SignedCheckpoint[]): ChainFault | null {
    for (const checkpoint of more) {
      const { sequence } = checkpoint
      const text = JSON.stringify(checkpoint)
      if (known.has(text)) continue
      known.add(text)
      if (sequence <= tree.size()) {
        const isNewest = last !== null && sequence === tree.size()
        const reason = isNewest ? faultOfCheckpoint(checkpoint, last as LedgerEntry) : 'checkpoint_too_late'
        if (reason !== null) keep({ sequence, reason })
        continue
      }
      const others = waiting.get(sequence)
      if (others) others.push(checkpoint)
      else waiting.set(sequence, [checkpoint])
    }
    return fault
  }

  attest(checkpoints)
  return {
    attest,
    add(entry) {
      if (fault !== null) return fault
      let reason = faultOfEntry(entry)
      if (reason === null) {
        tree.append(leafHash(entry.entry_hash))
        last = entry
        for (const checkpoint of waiting.get(entry.sequence) ?? []) reason ??= faultOfCheckpoint(checkpoint, entry)
        waiting.delete(entry.sequence)
        if (lacksCheckpoint(entry.sequence)) reason ??= 'checkpoint_missing'
      }
      if (reason === null) held = tree.size()
      else fault = { sequence: entry.sequence, reason }
      return fault
    },
    finish: (newest) => keep(faultOfEnd(newest)),
    verified: () => held,
    attested: () => Math.min(attestedTo, held),
    registryKey: () => (registryKey === null ? null : encodePublicKey(registryKey)),
    rootHash: () => bytesToHex(tree.root()),
  }
}
