import { CHECKPOINT_EVERY, entryHash, FIRST_CHECKPOINT, HOUR, leafHash } from '@guildhall/protocol'
import { isoTime } from '../domain/instant.ts'
import type { Checkpoint, LedgerEntry, PendingEntry, Seal } from '../domain/ledger/ledger.ts'
import { StoreUnavailableError } from '../domain/store-unavailable.ts'
import type { LedgerHead, SealingTransaction } from '../ports/ledger-store.ts'
import { checkpointOf } from './checkpoint-of.ts'
import type { End, KnownEnd } from './known-end.ts'
import { followHead, recordHead, refuseOldCopy } from './recorded-head.ts'
import type { SealerParts } from './sealer-parts.ts'

const BATCH = 500

/** What a pass of the sealer is for. */
type Wanted = {
  /** Whether somebody waits for it. */
  readonly isAwaited: boolean
  /** All that is waited for, if that may be sealed unread. */
  readonly unread: readonly PendingEntry[] | null
}

/**
 * Gives pending entries their sequence and hash while it holds the head's lock: one sealer at a time, no gaps, no forks. Even when
 * nothing is pending, the database is compared with the record: an older copy must not wait for the next entry to be noticed.
 */
export async function sealBatch(
  parts: SealerParts,
  known: KnownEnd,
  { isAwaited, unread }: Wanted,
): Promise<ReadonlyMap<string, Seal>> {
  if (!isAwaited && !(await parts.store.hasPending())) {
    await followHead(parts)
    return new Map()
  }
  const batch =
    (unread === null ? null : await sealUnread(parts, known, unread)) ??
    (await parts.store.sealing((tx) => sealPending(parts, known, tx)))
  known.keep(batch.end)
  recordHead(parts, batch.end.head)
  for (const checkpoint of batch.checkpoints) await parts.record.keepCheckpoint(checkpoint)
  return batch.seals
}

async function sealPending(parts: SealerParts, known: KnownEnd, tx: SealingTransaction): Promise<Batch> {
  const [head, pending, checkpoint] = await Promise.all([tx.lockHead(), tx.pending(BATCH), tx.lastCheckpoint()])
  await refuseOldCopy(parts, head, tx)
  const tree = await known.takeTree(tx, head)
  const batch = extend(parts, { head, tree, checkpoint }, pending)
  if (batch.sealed.length > 0) await tx.append(batch.sealed, batch.nodes)
  for (const made of batch.checkpoints) await tx.addCheckpoint(made)
  return batch
}

/**
 * Seals these entries after the head that this node has sealed last, in one round trip. Null if another node seems to seal, too, or
 * has sealed meanwhile, or if a checkpoint is due.
 */
async function sealUnread(
  parts: SealerParts,
  known: KnownEnd,
  entries: readonly PendingEntry[],
): Promise<Batch | null> {
  const end = known.takeUnread()
  if (end === null || parts.record.read()?.entryHash !== end.head.entryHash) return null
  const batch = extend(parts, end, entries)
  if (batch.checkpoints.length > 0) return null
  try {
    await parts.store.sealing(async (tx) => {
      await tx.holdHead()
      await tx.append(batch.sealed, batch.nodes)
    })
    return batch
  } catch (error) {
    if (error instanceof StoreUnavailableError) throw error
    return null
  }
}

type Batch = {
  readonly sealed: readonly { readonly pending: PendingEntry; readonly entry: LedgerEntry }[]
  readonly nodes: readonly { readonly level: number; readonly index: number; readonly hash: string }[]
  readonly checkpoints: readonly Checkpoint[]
  readonly seals: ReadonlyMap<string, Seal>
  /** The end of the ledger once this is in it. */
  readonly end: End
}

/** Appends to the tree of `end`, which must not be used again. */
function extend(parts: SealerParts, { head, tree, checkpoint }: End, pending: readonly PendingEntry[]): Batch {
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
    if (checkpointIsDue(entry, checkpoints.at(-1) ?? checkpoint, isLast)) {
      checkpoints.push(checkpointOf(parts, entry, tree.root(), entry.timestamp))
    }
  }
  const end = { head: newest, tree, checkpoint: checkpoints.at(-1) ?? checkpoint }
  return { sealed, nodes, checkpoints, seals, end }
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
