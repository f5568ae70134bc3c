import type { Pool } from 'pg'
import { overAndOver } from '../lines/line.ts'
import { drive } from '../load/drive.ts'
import { encodeRequest } from '../load/operation.ts'
import type { Plan } from '../plan.ts'
import type { Stage } from '../stage/start-stage.ts'
import type { Span } from './span.ts'

/** Rate of timers beside the rate of bare transactions. */
const AIM = 0.3
const BASELINE_MS = 2_000
const LOOK_EVERY_MS = 50
const PATIENCE_MS = 300_000

/** Offers that end, claims that lapse and deliveries that nobody reviewed, a third each: all of them due since a second ago. */
const makeDue = `
with chosen as (
  (select id from tasks where status = 'open' and bounty_amount is null and expires_at > now() limit $1)
  union all (select id from tasks where status = 'claimed' limit $1)
  union all (select id from tasks where status = 'submitted' and bounty_amount is null and review_state is null limit $1)
)
update tasks set
  expires_at = case when status = 'open' then now() - interval '1 second' else expires_at end,
  claim_expires_at = case when status = 'claimed' then now() - interval '1 second' else claim_expires_at end,
  auto_release_at = case when status = 'submitted' then now() - interval '1 second' else auto_release_at end
where id in (select id from chosen)`

const due = (status: string, column: string): string =>
  `exists (select from tasks where status = '${status}' and ${column} is not null and greatest(${column}, timer_held_until) <= now())`

/** Not how many: counting thousands again and again would take a part of the machine from the service. */
const isAnyDue = `
select ${due('open', 'expires_at')} or ${due('claimed', 'claim_expires_at')} or ${due('submitted', 'auto_release_at')} as due`

/** A timer that fails, or has to wait, is held back: it is not due, but not done either. */
const countHeld = 'select count(*) as held from tasks where timer_held_until > now()'

/** Each claim that lapsed lowers its agent's budget, and whatever is measured afterwards needs agents that may claim. */
const forgive = 'update agents set expired_claims = 0 where expired_claims > 0'

/** As after a long outage: many timers fall due at the same moment, and the service works them off. */
export async function timersAtOnce({ timers, connections }: Plan, { large, baselines }: Stage): Promise<Span> {
  const transactions = await drive({
    url: baselines.transaction.url,
    connections,
    mostMs: BASELINE_MS,
    next: overAndOver([[{ bytes: encodeRequest({ method: 'GET', path: '/' }), status: 200 }]]),
  })
  const { rowCount } = await large.database.query(makeDue, [Math.ceil(timers / 3)])
  const began = performance.now()
  await untilNoneIsDue(large.database, began + PATIENCE_MS)
  const seconds = (performance.now() - began) / 1_000
  const { rows } = await large.database.query<{ held: string }>(countHeld)
  if (Number(rows[0]?.held) > 0) throw new Error(`${rows[0]?.held} timers could not be carried out.`)
  await large.database.query(forgive)
  const rate = (rowCount ?? 0) / seconds
  const ratio = rate / (transactions.count / transactions.seconds)
  return {
    name: `${(rowCount ?? 0).toLocaleString('en')} timers due at once`,
    measured: `done in ${seconds.toFixed(1)} s, ${Math.round(rate)}/s: ${ratio.toFixed(2)} of HTTP + transaction`,
    aim: `≥ ${AIM}`,
    reached: ratio >= AIM,
  }
}

async function untilNoneIsDue(database: Pool, until: number): Promise<void> {
  while (performance.now() < until) {
    const { rows } = await database.query<{ due: boolean }>({ name: 'due', text: isAnyDue })
    if (rows[0]?.due === false) return
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }
  throw new Error('Timers were still due after five minutes.')
}
