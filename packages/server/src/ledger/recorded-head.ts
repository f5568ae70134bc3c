import { NO_PREVIOUS_HASH } from '@guildhall/protocol'
import type { RecordedHead } from '../ports/head-record.ts'
import type { SealerParts } from './sealer-parts.ts'

/** The database is older than what this node has already signed: nothing may be appended to it. */
export class LedgerBehindError extends Error {
  constructor(head: RecordedHead, recorded: RecordedHead) {
    super(
      `The ledger in the database ends at entry ${head.sequence} (${head.entryHash.slice(0, 12)}…), but this node has sealed entry ` +
        `${recorded.sequence} (${recorded.entryHash.slice(0, 12)}…). An older copy seems to have been restored; nothing is appended until that is resolved.`,
    )
    this.name = 'LedgerBehindError'
  }
}

/** What this node sealed before must still be in the database, at the same position. */
export async function checkRecordedHead(parts: SealerParts): Promise<void> {
  const recorded = parts.record.read()
  if (recorded === null) return
  const entry = await parts.store.ledgerEntry(recorded.sequence)
  if (entry?.entryHash === recorded.entryHash) return
  throw behind(parts, (await parts.store.ledgerHead()) ?? { sequence: 0, entryHash: NO_PREVIOUS_HASH }, recorded)
}

/** Under the head's lock: the database must not be behind the record. */
export function refuseOldCopy(parts: SealerParts, head: RecordedHead): void {
  const recorded = parts.record.read()
  if (recorded === null || head.sequence > recorded.sequence) return
  if (head.sequence < recorded.sequence || head.entryHash !== recorded.entryHash) throw behind(parts, head, recorded)
}

function behind({ log }: SealerParts, head: RecordedHead, recorded: RecordedHead): LedgerBehindError {
  const places = { head: head.sequence, recorded: recorded.sequence }
  log.alarm('the database is older than the recorded head of the ledger', places)
  return new LedgerBehindError(head, recorded)
}
