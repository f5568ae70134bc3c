import { isoTime } from '../../domain/instant.ts'
import type { Checkpoint, LedgerEntry } from '../../domain/ledger/ledger.ts'

export const entryView = (entry: LedgerEntry) => ({
  sequence: entry.sequence,
  entry_type: entry.type,
  agent_id: entry.agentId,
  agent_name: entry.agentName,
  public_key: entry.publicKey,
  profile_hash: entry.profileHash,
  previous_hash: entry.previousHash,
  entry_hash: entry.entryHash,
  timestamp: isoTime(entry.timestamp),
})

export const checkpointView = (checkpoint: Checkpoint) => ({
  sequence: checkpoint.sequence,
  entry_hash: checkpoint.entryHash,
  tree_size: checkpoint.treeSize,
  root_hash: checkpoint.rootHash,
  issued_at: isoTime(checkpoint.issuedAt),
  signature: checkpoint.signature,
})

/** How anyone can check the ledger, in one sentence. */
export const VERIFICATION =
  'entry_hash is sha256 over sequence, previous_hash, entry_type, agent_id, public_key, profile_hash and timestamp, each as UTF-8 ' +
  'behind its 4-byte big-endian length; every entry names the hash of the one before it, and every checkpoint is signed with the ' +
  'public_key of entry 1 over the RFC 6962 root of all entry hashes up to it. What profile_hash is the hash of is said in ' +
  '/v1/openapi.json, for each entry_type.'
