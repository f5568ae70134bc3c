import { bytesToHex } from '@noble/hashes/utils.js'
import { hashDocument } from '../../src/ledger/canonical-json.ts'
import { type SignedCheckpoint, signCheckpoint } from '../../src/ledger/checkpoint.ts'
import { entryHash, type HashedEntryFields, type LedgerEntry, NO_PREVIOUS_HASH } from '../../src/ledger/entry.ts'
import { growingTree, type HashedTreeNode, leafHash } from '../../src/ledger/merkle.ts'
import { agent, registry } from './keys.ts'

const types = [
  'genesis',
  'registration',
  'registration',
  'capability_update',
  'task_delivered',
  'task_verified',
  'task_payment_settled',
]

export function seal(fields: HashedEntryFields, agentName: string | null): LedgerEntry {
  return { ...fields, agent_name: agentName, entry_hash: entryHash(fields) }
}

/** A ledger of eleven entries with checkpoints at 2 and 7, its nodes and the root of every size. */
export function smallLedger() {
  const entries: LedgerEntry[] = []
  const checkpoints: SignedCheckpoint[] = []
  const nodes: HashedTreeNode[] = []
  const tree = growingTree()
  const roots = [tree.root()]
  for (let sequence = 1; sequence <= 11; sequence++) {
    const owner = sequence <= 2 ? registry : agent
    const fields = {
      sequence,
      previous_hash: entries.at(-1)?.entry_hash ?? NO_PREVIOUS_HASH,
      entry_type: types[sequence - 1] ?? 'verification',
      agent_id: sequence === 1 ? null : owner.agentId,
      public_key: owner.publicKeyText,
      profile_hash: hashDocument({ document: sequence }),
      timestamp: new Date(1_760_000_000_000 + sequence * 1_001).toISOString(),
    }
    const entry = seal(fields, sequence === 1 ? null : sequence === 2 ? 'Guildhall' : 'J\u00fcrgen')
    entries.push(entry)
    nodes.push(...tree.append(leafHash(entry.entry_hash)))
    roots.push(tree.root())
    if (sequence === 2 || sequence === 7) checkpoints.push(attest(entry, tree.root()))
  }
  return { entries, checkpoints, nodes, roots }
}

export function attest(entry: LedgerEntry, root: Uint8Array, secretKey = registry.secretKey): SignedCheckpoint {
  return signCheckpoint(secretKey, {
    sequence: entry.sequence,
    entry_hash: entry.entry_hash,
    tree_size: entry.sequence,
    root_hash: bytesToHex(root),
    issued_at: entry.timestamp,
  })
}
