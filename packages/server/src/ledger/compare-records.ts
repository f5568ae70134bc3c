import type { RecordedHead } from '../ports/head-record.ts'
import type { Store } from '../ports/store.ts'
import { readHeadRecord } from './file-head-record.ts'

export type Comparison = {
  /** The number of the newest entry in the database. */
  readonly endsAt: number
  readonly records: readonly {
    readonly directory: string
    /** Null when the node has recorded nothing; 'missing' when there is no record, as in a mistyped directory. */
    readonly recorded: RecordedHead | null | 'missing'
    /** Whether the database has that entry, with that hash. */
    readonly isThere: boolean
  }[]
}

/** Whether a database has everything that the nodes with these data directories have recorded. */
export async function compareRecords(
  store: Pick<Store, 'ledgerHead' | 'ledgerEntry'>,
  directories: readonly string[],
): Promise<Comparison> {
  const head = await store.ledgerHead()
  const records = await Promise.all(
    directories.map(async (directory) => {
      const recorded = readHeadRecord(directory)
      if (recorded === 'missing') return { directory, recorded, isThere: false }
      const entry = recorded && (await store.ledgerEntry(recorded.sequence))
      return { directory, recorded, isThere: recorded === null || entry?.entryHash === recorded.entryHash }
    }),
  )
  return { endsAt: head?.sequence ?? 0, records }
}
