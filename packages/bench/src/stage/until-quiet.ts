import type { Pool } from 'pg'

const LOOK_EVERY_MS = 10
const MOST_MS = 60_000

const busy = `
select exists (select from ledger_pending)
  or exists (
    select from tasks where not announced and status not in ('cancelled', 'expired')
      and coalesce(escrow_status, 'funded') not in ('unfunded', 'funding')
  )
  as busy`

/** Waits until everything that was written has been announced and sealed. */
export async function untilQuiet(database: Pool): Promise<void> {
  const until = performance.now() + MOST_MS
  while (performance.now() < until) {
    const { rows } = await database.query<{ busy: boolean }>({ name: 'busy', text: busy })
    if (rows[0]?.busy === false) return
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }
  throw new Error(`The service was still busy with what had been written ${MOST_MS / 1000} s ago.`)
}
