import { isoTime } from '../domain/instant.ts'
import type { Webhook } from '../domain/webhook/webhook.ts'
import type { WebhookReads, WebhookWrites } from '../ports/webhook-store.ts'
import type { Connection } from './connection.ts'
import { type EventRow, readEvent } from './inbox.ts'
import { readOne } from './read-one.ts'
import { deliveriesRead } from './webhook-deliveries.ts'
import { webhookOutcomeWrites } from './webhook-outcomes.ts'

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

/** Each event is looked up: a join in the order of positions might read the whole inbox. */
export const retries = `
select e.*, r.attempts
from webhook_retries r cross join lateral (
  select e.id, e.agent_id, e.position, e.type, e.ref_kind, e.ref_id, e.actor_id, e.payload, e.created_at, e.read_at
  from inbox_events e where e.agent_id = r.agent_id and e.position = r.position limit 1
) e
where r.agent_id = $1 and (r.next_attempt_at <= $2 or r.next_attempt_at is null)
order by r.position limit $3`

const lease = `
update webhooks w set lease_until = $3, fence = w.fence + 1, salt = coalesce(w.salt, $4)
where w.agent_id = $1 and w.url is not null
  and (w.next_attempt_at is null or w.next_attempt_at <= $2) and (w.lease_until is null or w.lease_until <= $2)
returning w.agent_id, w.url, w.position, w.attempts, w.salt, w.fence,
  case when w.old_salt_until > $2 then w.old_salt end as old_salt`

/** The end of its turn stays there as the end of the lease. */
const release = 'update webhooks set lease_until = $3 where agent_id = $1 and fence = $2'

const rotate = `
with before as (
  select salt from webhooks where agent_id = $1 for update
), made as (
  insert into webhooks as w (agent_id, position, attempts, salt, fence)
  select agent_id, last_position, 0, $2, 0 from inboxes where agent_id = $1
  on conflict (agent_id) do update set old_salt = w.salt, old_salt_until = $3, salt = excluded.salt
)
select salt from before where salt is not null`

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

export const webhookWrites = (connection: Connection): WebhookWrites => ({
  ...webhookOutcomeWrites(connection),
  rotateWebhookSalt: async (agentId, salt, oldUntil) =>
    (await connection.first(rotate, [agentId, salt, isoTime(oldUntil)])) !== null,
  leaseWebhook: (agentId, now, until, salt) =>
    readOne(connection, readLeased, lease, [agentId, isoTime(now), isoTime(until), salt]),
  async releaseWebhook({ agentId, fence }, at) {
    await connection.change(release, [agentId, fence, isoTime(at)])
  },
})
