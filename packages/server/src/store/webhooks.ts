import { limits } from '@guildhall/protocol'
import { isoTime } from '../domain/instant.ts'
import type { Webhook } from '../domain/webhook/webhook.ts'
import type { WebhookReads, WebhookWrites } from '../ports/webhook-store.ts'
import type { Connection } from './connection.ts'
import { deliveriesRead } from './webhook-deliveries.ts'

/**
 * Compares cursor and inbox instead of relying on notifications: an event that committed late, or whose notification was lost, is
 * still found. Those that could be tried for longest come first, so that slow addresses with many events cannot keep others waiting.
 */
const due = `
select w.agent_id
from webhooks w join inboxes i on i.agent_id = w.agent_id
where w.url is not null and i.last_position > w.position
  and (w.next_attempt_at is null or w.next_attempt_at <= $1) and (w.lease_until is null or w.lease_until <= $1)
order by greatest(w.next_attempt_at, w.lease_until) nulls first
limit $2`

const lease = `
update webhooks w set lease_until = $3, fence = w.fence + 1, salt = coalesce(w.salt, $4)
where w.agent_id = $1 and w.url is not null
  and (w.next_attempt_at is null or w.next_attempt_at <= $2) and (w.lease_until is null or w.lease_until <= $2)
returning w.agent_id, w.url, w.position, w.attempts, w.salt, w.fence,
  case when w.old_salt_until > $2 then w.old_salt end as old_salt`

/** The end of its turn stays there as the end of the lease. */
const release = 'update webhooks set lease_until = $3 where agent_id = $1 and fence = $2'

const failed = `
update webhooks set attempts = $3, last_error = $4, next_attempt_at = $5, lease_until = null
where agent_id = $1 and fence = $2`

const delivered = `
with moved as (
  update webhooks set position = $3, attempts = 0, last_error = null, next_attempt_at = null
  where agent_id = $1 and fence = $2 and position < $3
  returning agent_id
)
insert into webhook_deliveries (agent_id, position, status, attempts, ended_at, expires_at)
select agent_id, $3, 'delivered', $4, $5, $6 from moved`

const GIVEN_UP_AT_ONCE = 1_000
const NEVER_TRIED = 'The address had not answered for a day.'

/** Positions nearly always follow the clock; the batch ends at the first event that is too young to give up. */
const giveUp = `
with held as (
  select agent_id, position from webhooks where agent_id = $1 and fence = $2 for no key update
), behind as (
  select e.agent_id, e.position, e.created_at
  from inbox_events e join held on e.agent_id = held.agent_id and e.position > held.position
  order by e.position limit ${GIVEN_UP_AT_ONCE}
), lost as (
  select b.agent_id, b.position from behind b
  where b.position = $3 or b.position < coalesce(
    (select min(position) from behind where created_at > $4 and position > $3),
    (select max(position) + 1 from behind)
  )
), moved as (
  update webhooks w set position = (select max(position) from lost), attempts = 0, last_error = null, next_attempt_at = null
  from held where w.agent_id = held.agent_id and exists (select from lost)
  returning w.position
), noted as (
  insert into webhook_deliveries (agent_id, position, status, attempts, last_error, ended_at, expires_at)
  select agent_id, position, 'failed', case when position = $3 then $5::int else 0 end,
    case when position = $3 then $6 else '${NEVER_TRIED}' end, $7, $8
  from lost
)
select (select position from moved) as position, (select count(*) from lost)::int as count`

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

/** The webhook follows the profile, in the transaction that writes it. */
export async function followWebhookUrl(connection: Connection, agentId: string, url: string | null): Promise<void> {
  await (url === null ? connection.change(unfollow, [agentId]) : connection.change(follow, [agentId, url]))
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

const readLeased = (row: LeasedRow): Webhook => ({
  agentId: row.agent_id,
  url: row.url,
  position: Number(row.position),
  attempts: row.attempts,
  salts: { current: row.salt, old: row.old_salt },
  fence: Number(row.fence),
})

export const webhookReads = (connection: Connection): WebhookReads => ({
  ...deliveriesRead(connection),
  dueWebhooks: async (now, limit) =>
    (await connection.rows<{ agent_id: string }>(due, [isoTime(now), limit])).map(({ agent_id }) => agent_id),
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
  async noteFailed({ agentId, fence }, attempts, error, nextAttemptAt) {
    await connection.change(failed, [agentId, fence, attempts, error, isoTime(nextAttemptAt)])
  },
  async giveUpEvents({ agentId, fence, position: before }, head, waitingSince, at) {
    const tried = [head?.position ?? 0, isoTime(waitingSince), head?.attempts ?? 0, head?.error ?? null]
    const values = [agentId, fence, ...tried, isoTime(at), keptUntil(at)]
    const row = await connection.first<{ position: bigint | null; count: number }>(giveUp, values)
    const position = row === null || row.position === null ? before : Number(row.position)
    return { position, more: row?.count === GIVEN_UP_AT_ONCE }
  },
})
