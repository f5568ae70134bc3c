import { CHECKPOINT_EVERY, entryHash, FIRST_CHECKPOINT, HOUR, leafHash } from '@guildhall/protocol'
import { isoTime } from '../domain/instant.ts'
import type { Checkpoint, LedgerEntry, PendingEntry, Seal } from '../domain/ledger/ledger.ts'
import type { LedgerHead, SealingTransaction } from '../ports/ledger-store.ts'
import { checkpointOf } from './checkpoint-of.ts'
import type { NewestTree } from './newest-tree.ts'
import { followHead, recordHead, refuseOldCopy } from './recorded-head.ts'
import type { SealerParts } from './sealer-parts.ts'

const BATCH = 500

/**
 * Gives pending entries their sequence and hash while it holds the head's lock: one sealer at a time, no gaps, no forks. Even when
 * nothing is pending, the database is compared with the record: an older copy must not wait for the next entry to be noticed.
 */
export async function sealBatch(
  parts: SealerParts,
  trees: NewestTree,
  isAwaited = false,
): Promise<ReadonlyMap<string, Seal>> {
  if (!isAwaited && !(await parts.store.hasPending())) {
    await followHead(parts)
    return new Map()
  }
  const batch = await parts.store.sealing((tx) => seal(parts, trees, tx))
  trees.keep(batch.head, batch.tree)
  recordHead(parts, batch.head)
  for (const checkpoint of batch.checkpoints) await parts.record.keepCheckpoint(checkpoint)
  return batch.seals
}

async function seal(parts: SealerParts, trees: NewestTree, tx: SealingTransaction) {
  const [head, pending, last] = await Promise.all([tx.lockHead(), tx.pending(BATCH), tx.lastCheckpoint()])
  await refuseOldCopy(parts, head, tx)
  const tree = await trees.take(tx, head)
  const sealed: { pending: PendingEntry; entry: LedgerEntry }[] = []
  const nodes: { level: number; index: number; hash: string }[] = []
  const checkpoints: Checkpoint[] = []
  const seals = new Map<string, Seal>()
  let newest: LedgerHead = head
  for (const [index, waiting] of pending.entries()) {
    const entry = nextEntry(newest, waiting, parts.clock.now())
    for (const node of tree.append(leafHash(entry.entryHash)))
      nodes.push({ ...node, hash: Buffer.from(node.hash).toString('hex') })
    sealed.push({ pending: waiting, entry })
    seals.set(waiting.id, { sequence: entry.sequence, entryHash: entry.entryHash })
    newest = entry
    const isLast = index === pending.length - 1
    if (checkpointIsDue(entry, checkpoints.at(-1) ?? last, isLast)) {
      checkpoints.push(checkpointOf(parts, entry, tree.root(), entry.timestamp))
    }
  }
  if (sealed.length > 0) await tx.append(sealed, nodes)
  for (const checkpoint of checkpoints) await tx.addCheckpoint(checkpoint)
  return { seals, checkpoints, head: newest, tree }
}

/** Timestamps never decrease, even if the nodes' clocks differ. */
function nextEntry(head: LedgerHead, pending: PendingEntry, now: number): LedgerEntry {
  const entry = {
    sequence: head.sequence + 1,
    type: pending.type,
    agentId: pending.agentId,
    agentName: pending.agentName,
    publicKey: pending.publicKey,
    profileHash: pending.profileHash,
    previousHash: head.entryHash,
    timestamp: Math.max(now, head.timestamp),
  }
  const hash = entryHash({
    sequence: entry.sequence,
    previous_hash: entry.previousHash,
    entry_type: entry.type,
    agent_id: entry.agentId,
    public_key: entry.publicKey,
    profile_hash: entry.profileHash,
    timestamp: isoTime(entry.timestamp),
  })
  return { ...entry, entryHash: hash }
}

const checkpointIsDue = ({ sequence, timestamp }: LedgerEntry, last: Checkpoint | null, isLast: boolean): boolean =>
  sequence === FIRST_CHECKPOINT ||
  sequence % CHECKPOINT_EVERY === 0 ||
  (isLast && last !== null && timestamp - last.issuedAt >= HOUR)
