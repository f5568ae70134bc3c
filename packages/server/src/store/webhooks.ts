import { limits } from '@guildhall/protocol'
import { isoTime, isoTimeOrNull } from '../domain/instant.ts'
import type { Webhook } from '../domain/webhook/webhook.ts'
import type { Rest, WebhookReads, WebhookWrites } from '../ports/webhook-store.ts'
import type { Connection } from './connection.ts'
import { type EventRow, readEvent } from './inbox.ts'
import { deliveriesRead } from './webhook-deliveries.ts'

/**
 * Compares cursor and inbox instead of relying on notifications: an event that committed late, or whose notification was lost, is
 * still found. Those that could be tried for longest come first, so that slow addresses with many events cannot keep others waiting.
 */
const due = `
select w.agent_id
from webhooks w join inboxes i on i.agent_id = w.agent_id
where w.url is not null
  and (i.last_position > w.position or w.agent_id in (
    select agent_id from webhook_retries where next_attempt_at <= $1 or next_attempt_at is null))
  and (w.next_attempt_at is null or w.next_attempt_at <= $1) and (w.lease_until is null or w.lease_until <= $1)
order by greatest(w.next_attempt_at, w.lease_until) nulls first
limit $2`

const retries = `
select e.id, e.agent_id, e.position, e.type, e.ref_kind, e.ref_id, e.actor_id, e.payload, e.created_at, e.read_at, r.attempts
from webhook_retries r join inbox_events e on e.agent_id = r.agent_id and e.position = r.position
where r.agent_id = $1 and (r.next_attempt_at <= $2 or r.next_attempt_at is null)
order by e.position limit $3`

const lease = `
update webhooks w set lease_until = $3, fence = w.fence + 1, salt = coalesce(w.salt, $4)
where w.agent_id = $1 and w.url is not null
  and (w.next_attempt_at is null or w.next_attempt_at <= $2) and (w.lease_until is null or w.lease_until <= $2)
returning w.agent_id, w.url, w.position, w.attempts, w.salt, w.fence,
  case when w.old_salt_until > $2 then w.old_salt end as old_salt`

/** The end of its turn stays there as the end of the lease. */
const release = 'update webhooks set lease_until = $3 where agent_id = $1 and fence = $2'

/** The cursor passes every event that was tried. */
const held = (changes: string): string => `
with held as (
  update webhooks set position = greatest(position, $3), ${changes}
  where agent_id = $1 and fence = $2
  returning agent_id
)`
const settled = `, settled as (
  delete from webhook_retries r using held where r.agent_id = held.agent_id and r.position = $3
)`
const failing = 'attempts = $6, last_error = $5, next_attempt_at = $7'

const failed = `${held(failing)}
insert into webhook_retries (agent_id, position, attempts, last_error, next_attempt_at)
select agent_id, $3, $4, $5, $8 from held
on conflict (agent_id, position) do update set
  attempts = excluded.attempts, last_error = excluded.last_error, next_attempt_at = excluded.next_attempt_at`

const givenUp = `${held(failing)}${settled}
insert into webhook_deliveries (agent_id, position, status, attempts, last_error, ended_at, expires_at)
select agent_id, $3, 'failed', $4, $5, $8, $9 from held
on conflict do nothing`

const delivered = `${held('attempts = 0, last_error = null, next_attempt_at = null')}${settled}
insert into webhook_deliveries (agent_id, position, status, attempts, ended_at, expires_at)
select agent_id, $3, 'delivered', $4, $5, $6 from held
on conflict do nothing`

const GIVEN_UP_AT_ONCE = 1_000
const NEVER_TRIED = 'The address had not answered for a day.'

/** Positions nearly always follow the clock; the batch ends at the first event that is too young to give up. */
const giveUpOld = `
with held as (
  select agent_id, position from webhooks where agent_id = $1 and fence = $2 for no key update
), behind as (
  select e.agent_id, e.position, e.created_at
  from inbox_events e join held on e.agent_id = held.agent_id and e.position > held.position
  order by e.position limit ${GIVEN_UP_AT_ONCE}
), unseen as (
  select b.agent_id, b.position, 0 as attempts, '${NEVER_TRIED}' as last_error from behind b
  where b.position < coalesce(
    (select min(position) from behind where created_at > $3),
    (select max(position) + 1 from behind)
  )
), moved as (
  update webhooks w set position = (select max(position) from unseen)
  from held where w.agent_id = held.agent_id and exists (select from unseen)
), overdue as (
  delete from webhook_retries r using held, inbox_events e
  where r.agent_id = held.agent_id and r.next_attempt_at <= $4
    and e.agent_id = r.agent_id and e.position = r.position and e.created_at <= $3
  returning r.agent_id, r.position, r.attempts, r.last_error
), noted as (
  insert into webhook_deliveries (agent_id, position, status, attempts, last_error, ended_at, expires_at)
  select agent_id, position, 'failed', attempts, last_error, $4, $5
  from (select * from unseen union all select * from overdue) lost
  returning position
)
select (select count(*) from noted)::int as count, (select count(*) from unseen)::int as unseen`

const rotate = `
with before as (
  select salt from webhooks where agent_id = $1 for update
), made as (
  insert into webhooks as w (agent_id, position, attempts, salt, fence)
  select agent_id, last_position, 0, $2, 0 from inboxes where agent_id = $1
  on conflict (agent_id) do update set old_salt = w.salt, old_salt_until = $3, salt = excluded.salt
)
select salt from before where salt is not null`

/**
 * A first address starts with the next event; an address that replaces another continues with its events at once. The new fence
 * ends a turn of the address before it: what comes of that no longer counts.
 */
const follow = `
insert into webhooks as w (agent_id, url, position, attempts, fence)
select agent_id, $2, last_position, 0, 0 from inboxes where agent_id = $1
on conflict (agent_id) do update set
  url = excluded.url,
  position = case when w.url is null then excluded.position else w.position end,
  attempts = 0, last_error = null, next_attempt_at = null, lease_until = null, fence = w.fence + 1
where w.url is distinct from excluded.url`

const unfollow = `
update webhooks set url = null, lease_until = null, fence = fence + 1 where agent_id = $1 and url is not null`

const retryAtOnce = 'update webhook_retries set attempts = 0, next_attempt_at = null where agent_id = $1'
const forgetRetries = 'delete from webhook_retries where agent_id = $1'

/** The webhook follows the profile, in the transaction that writes it; then come its retries, with those of a turn that just ended. */
export async function followWebhookUrl(connection: Connection, agentId: string, url: string | null): Promise<void> {
  if (url === null) {
    if ((await connection.change(unfollow, [agentId])) > 0) await connection.change(forgetRetries, [agentId])
  } else if ((await connection.change(follow, [agentId, url])) > 0) await connection.change(retryAtOnce, [agentId])
}

type LeasedRow = {
  readonly agent_id: string
  readonly url: string
  readonly position: bigint
  readonly attempts: number
  readonly salt: Uint8Array
  readonly old_salt: Uint8Array | null
  readonly fence: bigint
}

type RetryRow = EventRow & { readonly id: string; readonly attempts: number }

const readLeased = (row: LeasedRow): Webhook => ({
  agentId: row.agent_id,
  url: row.url,
  position: Number(row.position),
  failures: row.attempts,
  salts: { current: row.salt, old: row.old_salt },
  fence: Number(row.fence),
})

export const webhookReads = (connection: Connection): WebhookReads => ({
  ...deliveriesRead(connection),
  dueWebhooks: async (now, limit) =>
    (await connection.rows<{ agent_id: string }>(due, [isoTime(now), limit])).map(({ agent_id }) => agent_id),
  dueRetries: async (agentId, now, limit) =>
    (await connection.rows<RetryRow>(retries, [agentId, isoTime(now), limit])).map((row) => ({
      event: readEvent(row),
      attempts: row.attempts,
    })),
  async isPushing(now) {
    const text = 'select exists (select from webhooks where lease_until > $1) as yes'
    return (await connection.first<{ yes: boolean }>(text, [isoTime(now)]))?.yes ?? false
  },
})

const keptUntil = (at: number): string => isoTime(at + limits.webhook.recordsKeptMs)

export const webhookWrites = (connection: Connection): WebhookWrites => ({
  rotateWebhookSalt: async (agentId, salt, oldUntil) =>
    (await connection.first(rotate, [agentId, salt, isoTime(oldUntil)])) !== null,
  async leaseWebhook(agentId, now, until, salt) {
    const row = await connection.first<LeasedRow>(lease, [agentId, isoTime(now), isoTime(until), salt])
    return row === null ? null : readLeased(row)
  },
  async releaseWebhook({ agentId, fence }, at) {
    await connection.change(release, [agentId, fence, isoTime(at)])
  },
  noteDelivered: async ({ agentId, fence }, position, attempts, at) =>
    (await connection.change(delivered, [agentId, fence, position, attempts, isoTime(at), keptUntil(at)])) === 1,
  async noteFailed({ agentId, fence }, { position, attempts, error, nextAttemptAt }, rest) {
    const values = [agentId, fence, position, attempts, error, ...restValues(rest), isoTime(nextAttemptAt)]
    return (await connection.change(failed, values)) === 1
  },
  async noteGivenUp({ agentId, fence }, { position, attempts, error, at }, rest) {
    const values = [agentId, fence, position, attempts, error, ...restValues(rest), isoTime(at), keptUntil(at)]
    return (await connection.change(givenUp, values)) === 1
  },
  async giveUpEvents({ agentId, fence }, waitingSince, at) {
    const values = [agentId, fence, isoTime(waitingSince), isoTime(at), keptUntil(at)]
    const row = await connection.first<{ count: number; unseen: number }>(giveUpOld, values)
    return { count: row?.count ?? 0, more: row?.unseen === GIVEN_UP_AT_ONCE }
  },
})

const restValues = ({ failures, until }: Rest) => [failures, isoTimeOrNull(until)]
