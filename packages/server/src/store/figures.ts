import { isoTime } from '../domain/instant.ts'
import type { Account } from '../domain/journal/posting.ts'
import type { CustodyFigure, FigureStore, Figures, UnservedMoney } from '../ports/figure-store.ts'
import type { Connection } from './connection.ts'

const secondsSince = (time: string): string => `extract(epoch from $1::timestamptz - ${time})::float8`
const overdue = (status: string, column: string): string => `
  (select min(greatest(${column}, timer_held_until)) from tasks
   where status = '${status}' and ${column} is not null and greatest(${column}, timer_held_until) <= $1)`

const waiting = `
select
  (select count(*)::int from transfers where state = 'intended') as payments_waiting,
  coalesce((select ${secondsSince('min(created_at)')} from transfers where state = 'intended'), 0) as oldest_payment,
  coalesce(${secondsSince(`least(${overdue('claimed', 'claim_expires_at')}, ${overdue('submitted', 'auto_release_at')}, ${overdue('open', 'expires_at')})`)}, 0) as timers_behind,
  coalesce((select is_off from switches where name = 'payouts'), true) as payouts_paused,
  (select count(*)::int from wallet_movements where stray_id is not null
   and transfer_id is null and return_id is null and not covers_loss) as strays_waiting,
  (select count(*)::int from mails) as mails_waiting,
  coalesce((select ${secondsSince('min(created_at)')} from mails), 0) as oldest_mail,
  (select sequence::int from ledger_head) as ledger_sequence,
  (select count(*)::int from ledger_pending) as ledger_pending,
  (select ${secondsSince('issued_at')} from checkpoints order by sequence desc limit 1) as checkpoint_age`

/** `behind` leaves out webhooks that wait for their next attempt or are being pushed now. */
export const pushes = `
with waiting as (
  select w.agent_id, w.lease_until, w.next_attempt_at,
    (select e.created_at from inbox_events e where e.agent_id = w.agent_id and e.position > w.position
     order by e.position limit 1) as since
  from webhooks w join inboxes i on i.agent_id = w.agent_id
  where w.url is not null and i.last_position > w.position
  union all
  select w.agent_id, w.lease_until, greatest(w.next_attempt_at, r.next_attempt_at),
    (select e.created_at from inbox_events e where e.agent_id = r.agent_id and e.position = r.position)
  from webhook_retries r join webhooks w on w.agent_id = r.agent_id
  where w.url is not null
)
select count(distinct agent_id)::int as waiting, coalesce(${secondsSince('min(since)')}, 0) as oldest,
  coalesce(${secondsSince(`min(greatest(since, next_attempt_at)) filter (
    where coalesce(next_attempt_at <= $1, true) and coalesce(lease_until <= $1, true))`)}, 0) as behind
from waiting`

const custody = `
select network, difference::float8 as difference, ${secondsSince('proven_at')} as "provenSecondsAgo"
from wallet_watches where network = any($2) order by network`

const unserved = `
select network, sum(payments)::int as payments, sum(owed)::bigint as owed
from (
  select network, count(*) as payments, 0 as owed from transfers
  where state = 'intended' or (state = 'settled' and not is_final) group by network
  union all
  select split_part(item, ' ', 1), 0, amount from tallies where topic = 'balance' and split_part(item, ' ', 2) = any($2)
  union all
  select split_part(item, ' ', 1), 0, change from tally_changes where topic = 'balance' and split_part(item, ' ', 2) = any($2)
) money
where network <> all($1)
group by network having sum(payments) > 0 or sum(owed) > 0
order by network`

const OF_OTHERS: readonly Account[] = ['deposits', 'bonds', 'suspense']

type WaitingRow = {
  readonly payments_waiting: number
  readonly oldest_payment: number
  readonly timers_behind: number
  readonly payouts_paused: boolean
  readonly strays_waiting: number
  readonly mails_waiting: number
  readonly oldest_mail: number
  readonly ledger_sequence: number
  readonly ledger_pending: number
  readonly checkpoint_age: number | null
}

type PushesRow = { readonly waiting: number; readonly oldest: number; readonly behind: number }

type PoolCounts = { readonly totalCount: number; readonly idleCount: number; readonly waitingCount: number }

export const figureStore = (connection: Connection, pools: readonly PoolCounts[]): FigureStore => ({
  async figures(now, networks): Promise<Figures> {
    const row = await connection.first<WaitingRow>(waiting, [isoTime(now)])
    const pushed = await connection.first<PushesRow>(pushes, [isoTime(now)])
    if (row === null || pushed === null) throw new Error('PostgreSQL gave no figures.')
    return {
      paymentsWaiting: row.payments_waiting,
      oldestPaymentSeconds: row.oldest_payment,
      timersBehindSeconds: row.timers_behind,
      payoutsPaused: row.payouts_paused,
      straysWaiting: row.strays_waiting,
      mailsWaiting: row.mails_waiting,
      oldestMailSeconds: row.oldest_mail,
      webhooksWaiting: pushed.waiting,
      oldestPushSeconds: pushed.oldest,
      pushesBehindSeconds: pushed.behind,
      ledgerSequence: row.ledger_sequence,
      ledgerPending: row.ledger_pending,
      checkpointSecondsAgo: row.checkpoint_age,
      custody: await connection.rows<CustodyFigure>(custody, [isoTime(now), networks]),
    }
  },
  unserved: (networks) => connection.rows<UnservedMoney>(unserved, [networks, OF_OTHERS]),
  pool: () => ({
    open: sumOf(pools.map(({ totalCount }) => totalCount)),
    idle: sumOf(pools.map(({ idleCount }) => idleCount)),
    waiting: sumOf(pools.map(({ waitingCount }) => waitingCount)),
  }),
})

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0)
