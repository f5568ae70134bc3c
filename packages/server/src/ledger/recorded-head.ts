import { NO_PREVIOUS_HASH } from '@guildhall/protocol'
import type { RecordedHead } from '../ports/head-record.ts'
import type { LedgerReads } from '../ports/ledger-store.ts'
import type { SealerParts } from './sealer-parts.ts'

type Entries = Pick<LedgerReads, 'ledgerEntry'>

/** The database is older than what this node has already seen: nothing may be appended to it. */
export class LedgerBehindError extends Error {
  constructor(head: RecordedHead, recorded: RecordedHead) {
    super(
      `The ledger in the database ends at entry ${head.sequence} (${head.entryHash.slice(0, 12)}…), but this node has seen entry ` +
        `${recorded.sequence} (${recorded.entryHash.slice(0, 12)}…). An older copy seems to have been restored; nothing is appended until that is resolved.`,
    )
    this.name = 'LedgerBehindError'
  }
}

/** What this node recorded must still be in the database, at the same position. */
export async function checkRecordedHead(parts: SealerParts): Promise<RecordedHead> {
  // Before the head is read: what is recorded meanwhile may be newer than that.
  const recorded = parts.record.read()
  const head = (await parts.store.ledgerHead()) ?? { sequence: 0, entryHash: NO_PREVIOUS_HASH }
  await compare(parts, recorded, head, parts.store)
  return head
}

/** The same under the head's lock. */
export const refuseOldCopy = (parts: SealerParts, head: RecordedHead, entries: Entries): Promise<void> =>
  compare(parts, parts.record.read(), head, entries)

/** Another node may have continued an older copy: a higher head proves nothing. */
async function compare(
  parts: SealerParts,
  recorded: RecordedHead | null,
  head: RecordedHead,
  entries: Entries,
): Promise<void> {
  if (recorded === null || head.entryHash === recorded.entryHash) return
  const there = head.sequence > recorded.sequence ? await entries.ledgerEntry(recorded.sequence) : null
  if (there?.entryHash !== recorded.entryHash) throw behind(parts, head, recorded)
}

/** Records what others have sealed, too: a copy without it is as old to a node that has only seen it. */
export async function followHead(parts: SealerParts): Promise<void> {
  recordHead(parts, await checkRecordedHead(parts))
}

/** A head that was read before another one may be recorded after it. */
export function recordHead({ record }: SealerParts, head: RecordedHead): void {
  if (head.sequence > (record.read()?.sequence ?? 0)) record.write(head)
}

function behind({ log }: SealerParts, head: RecordedHead, recorded: RecordedHead): LedgerBehindError {
  const places = { head: head.sequence, recorded: recorded.sequence }
  log.alarm('the database is older than the recorded head of the ledger', places)
  return new LedgerBehindError(head, recorded)
}
