import {
  encodePublicKey,
  entryHash,
  generateKey,
  growingTree,
  type LedgerEntry,
  leafHash,
  NO_PREVIOUS_HASH,
  type SignedCheckpoint,
  signCheckpoint,
} from '@guildhall/protocol'

const registry = generateKey(new Uint8Array(32).fill(9))
const TIME = '2030-01-01T00:00:00.000Z'

export function sampleLedger(size: number): LedgerEntry[] {
  const entries: LedgerEntry[] = []
  for (let sequence = 1; sequence <= size; sequence++) {
    const fields = {
      sequence,
      previous_hash: entries.at(-1)?.entry_hash ?? NO_PREVIOUS_HASH,
      entry_type: sequence === 1 ? 'genesis' : 'registration',
      agent_id: null,
      public_key: sequence === 1 ? encodePublicKey(registry.publicKey) : null,
      profile_hash: 'ab'.repeat(32),
      timestamp: TIME,
    }
    entries.push({ ...fields, agent_name: null, entry_hash: entryHash(fields) })
  }
  return entries
}

/** The registry's checkpoint at the last of these entries. */
export function checkpointAt(entries: readonly LedgerEntry[]): SignedCheckpoint {
  const tree = growingTree()
  for (const entry of entries) tree.append(leafHash(entry.entry_hash))
  return signCheckpoint(registry.secretKey, {
    sequence: entries.length,
    entry_hash: entries.at(-1)?.entry_hash ?? '',
    tree_size: entries.length,
    root_hash: Buffer.from(tree.root()).toString('hex'),
    issued_at: TIME,
  })
}
