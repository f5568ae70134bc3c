import { PlainError } from '../plain-error.ts'
import { DoesNotHoldError } from '../verify/does-not-hold-error.ts'
import { atDesk } from './at-desk.ts'

/** Whether the database, such as a restored backup, has everything that the nodes have seen sealed. */
export const compareLedger = (directories: readonly string[]): Promise<void> =>
  atDesk(async (desk) => {
    const { endsAt, records } = await desk.compareRecords(directories)
    console.log(`The ledger in the database ends at entry ${endsAt}.`)
    for (const { directory, recorded, isThere } of records) {
      if (recorded === 'missing') console.log(`${directory}: there is no ledger-head.json.`)
      else if (recorded === null) console.log(`${directory}: nothing is recorded here.`)
      else console.log(`${directory}: recorded entry ${recorded.sequence}, which the database ${has(isThere)}.`)
    }
    if (records.some(({ recorded }) => recorded === 'missing')) throw new PlainError(MISSING)
    if (records.some(({ isThere }) => !isThere)) throw new DoesNotHoldError(OLDER)
  })

const has = (isThere: boolean): string => (isThere ? 'has' : 'does NOT have')

const MISSING =
  'Every node writes ledger-head.json to its data directory when it starts. Name the directories that have one.'

const OLDER =
  'The database is older than what has been published from it. Restore a newer copy; start no node on this one, above all none with an empty data directory.'
