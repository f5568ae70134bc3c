import type { DeliveryStatus } from '@guildhall/protocol'
import type { Delivery } from '../domain/webhook/webhook.ts'
import type { WebhookReads } from '../ports/webhook-store.ts'
import type { Connection } from './connection.ts'

/** Events behind the cursor have not been tried: they are read from the inbox. */
const untried = `
select e.id, e.type, e.position, e.created_at, 'pending' as status, 0 as attempts, null as last_error, w.next_attempt_at,
  null::timestamptz as ended_at
from webhooks w cross join lateral (
  select e.id, e.type, e.position, e.created_at from inbox_events e
  where e.agent_id = w.agent_id and e.position > w.position and e.position < $2
  order by e.position desc limit $3
) e
where w.agent_id = $1 and w.url is not null
order by e.position desc limit $3`

/** The event of a record, looked up for each: a join in the order of positions might read the whole inbox. */
const eventOf = (record: string): string => `
cross join lateral (
  select e.id, e.type, e.created_at from inbox_events e
  where e.agent_id = ${record}.agent_id and e.position = ${record}.position limit 1
) e`

const retried = `
select e.id, e.type, r.position, e.created_at, 'pending' as status, r.attempts, r.last_error,
  greatest(r.next_attempt_at, w.next_attempt_at) as next_attempt_at, null::timestamptz as ended_at
from webhook_retries r join webhooks w on w.agent_id = r.agent_id${eventOf('r')}
where r.agent_id = $1 and w.url is not null and r.position < $2
order by r.position desc limit $3`

const ended = (status: string): string => `
select e.id, e.type, d.position, e.created_at, d.status, d.attempts, d.last_error, null::timestamptz as next_attempt_at,
  d.ended_at
from webhook_deliveries d${eventOf('d')}
where d.agent_id = $1 and d.position < $2${status}
order by d.position desc limit $3`

const newestOf = (...parts: readonly string[]): string =>
  `${parts.map((part) => `(${part})`).join(' union all ')} order by position desc limit $3`

export const pages: Readonly<Record<DeliveryStatus | 'any', string>> = {
  pending: newestOf(untried, retried),
  delivered: ended(" and d.status = 'delivered'"),
  failed: ended(" and d.status = 'failed'"),
  any: newestOf(untried, retried, ended('')),
}

const BEHIND_ALL = Number.MAX_SAFE_INTEGER

type DeliveryRow = {
  readonly id: string
  readonly type: Delivery['eventType']
  readonly position: bigint
  readonly created_at: number
  readonly status: DeliveryStatus
  readonly attempts: number
  readonly last_error: string | null
  readonly next_attempt_at: number | null
  readonly ended_at: number | null
}

const readDelivery = (row: DeliveryRow): Delivery => ({
  eventId: row.id,
  eventType: row.type,
  position: Number(row.position),
  status: row.status,
  attempts: row.attempts,
  lastError: row.last_error,
  nextAttemptAt: row.next_attempt_at,
  endedAt: row.ended_at,
  createdAt: row.created_at,
})

export const deliveriesRead = (connection: Connection): Pick<WebhookReads, 'webhookDeliveries'> => ({
  async webhookDeliveries({ agentId, status, before, limit }) {
    const values = [agentId, before ?? BEHIND_ALL, limit]
    return (await connection.rows<DeliveryRow>(pages[status ?? 'any'], values)).map(readDelivery)
  },
})
