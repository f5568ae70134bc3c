import { HOUR } from '@guildhall/protocol'
import type { Checkpoint } from '../domain/ledger/ledger.ts'
import type { SealingTransaction } from '../ports/ledger-store.ts'
import { checkpointOf } from './checkpoint-of.ts'
import { recordHead, refuseOldCopy } from './recorded-head.ts'
import type { SealerParts } from './sealer-parts.ts'
import { treeAt } from './tree-at.ts'

/**
 * Issues a checkpoint of the head when the last one is an hour old and there are new entries; false when none was due. Appending
 * issues checkpoints too, but the last entries before a quiet time would wait for the next append.
 */
export async function attestHead(parts: SealerParts): Promise<boolean> {
  if (!(await parts.store.isCheckpointDue(parts.clock.now() - HOUR))) return false
  const checkpoint = await parts.store.sealing((tx) => attest(parts, tx))
  if (checkpoint === null) return false
  recordHead(parts, checkpoint)
  await parts.record.keepCheckpoint(checkpoint)
  return true
}

/** Under the lock of the head, because another node may have issued it meanwhile. */
async function attest(parts: SealerParts, tx: SealingTransaction): Promise<Checkpoint | null> {
  const [head, last] = await Promise.all([tx.lockHead(), tx.lastCheckpoint()])
  await refuseOldCopy(parts, head, tx)
  const now = Math.max(parts.clock.now(), head.timestamp)
  if (last === null || last.sequence >= head.sequence || now - last.issuedAt < HOUR) return null
  const checkpoint = checkpointOf(parts, head, (await treeAt(tx, head.sequence)).root(), now)
  await tx.addCheckpoint(checkpoint)
  return checkpoint
}
