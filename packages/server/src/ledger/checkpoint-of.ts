import type { CheckpointFields } from '@guildhall/protocol'
import { type Instant, isoTime } from '../domain/instant.ts'
import type { Checkpoint } from '../domain/ledger/ledger.ts'
import type { RecordedHead } from '../ports/head-record.ts'
import type { SealerParts } from './sealer-parts.ts'

/** The registry's signature over the ledger as it ends with this entry. */
export function checkpointOf(
  { attest }: SealerParts,
  { sequence, entryHash }: RecordedHead,
  root: Uint8Array,
  issuedAt: Instant,
): Checkpoint {
  const rootHash = Buffer.from(root).toString('hex')
  const fields: CheckpointFields = {
    sequence,
    entry_hash: entryHash,
    tree_size: sequence,
    root_hash: rootHash,
    issued_at: isoTime(issuedAt),
  }
  return { sequence, entryHash, treeSize: sequence, rootHash, issuedAt, signature: attest(fields) }
}
