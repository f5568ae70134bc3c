import { consult } from '@guildhall/oracle'
import { Client } from 'pg'
import { privateKeyToAccount } from 'viem/accounts'
import type { Notebook } from '../load/notebook.ts'
import type { Stage } from '../stage/start-stage.ts'
import { until } from '../until.ts'
import { lookAround } from './look-around.ts'
import { promisesBroken } from './promises-kept.ts'

/** Longer than the lease on a payment and the wait after a failed attempt together. */
const EVERYTHING_IS_DUE_SECONDS = 200
const MOVES = 6
const QUIET_MS = 20_000

const busy = `
select (select count(*) from transfers where state = 'intended' or state = 'settled' and not is_final and not is_mature)
  + (select count(*) from ledger_pending) as count`

/** Lets the nodes finish their work, then lists what does not hold; an empty list is good news. */
export async function judgeRest(stage: Stage, notebook: Notebook): Promise<readonly string[]> {
  const left = await comeToRest(stage)
  if (left > 0) return [`${left} payments and entries are still under way although nothing holds them up`]
  const violations = await consult({
    databaseUrl: stage.postgres.url,
    networks: stage.parts.chains,
    escrowWallet: privateKeyToAccount(stage.parts.keys.escrow).address,
    now: stage.now(),
  })
  const said = violations.map(({ invariant, what }) => `${invariant}: ${what}`)
  return [...said, ...promisesBroken(notebook, await lookAround(stage, notebook))]
}

/** Moving the clock expires the leases of dead nodes; then the nodes continue by themselves. */
async function comeToRest(stage: Stage): Promise<number> {
  let left = 0
  for (let move = 0; move < MOVES; move++) {
    await stage.moveClock(EVERYTHING_IS_DUE_SECONDS)
    const isQuiet = await until(async () => {
      left = await countBusy(stage)
      return left === 0
    }, QUIET_MS)
    if (isQuiet) return 0
  }
  return left
}

async function countBusy({ postgres }: Stage): Promise<number> {
  const client = new Client({ connectionString: postgres.url })
  await client.connect()
  try {
    const { rows } = await client.query<{ count: string }>(busy)
    return Number(rows[0]?.count)
  } finally {
    await client.end()
  }
}
