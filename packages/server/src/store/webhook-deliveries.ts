import type { DeliveryStatus } from '@guildhall/protocol'
import type { Delivery } from '../domain/webhook/webhook.ts'
import type { WebhookReads } from '../ports/webhook-store.ts'
import type { Connection } from './connection.ts'

/** Pending events are read from the inbox, after the cursor; only the first of them has attempts. */
const waiting = `
select e.id, e.type, e.position, e.created_at, 'pending' as status,
  case when e.position = w.position + 1 then w.attempts else 0 end as attempts,
  case when e.position = w.position + 1 then w.last_error end as last_error,
  case when e.position = w.position + 1 then w.next_attempt_at end as next_attempt_at,
  null::timestamptz as ended_at
from webhooks w join inbox_events e on e.agent_id = w.agent_id and e.position > w.position
where w.agent_id = $1 and w.url is not null and e.position < $2
order by e.position desc limit $3`

const ended = (status: string): string => `
select e.id, e.type, e.position, e.created_at, d.status, d.attempts, d.last_error, null::timestamptz as next_attempt_at,
  d.ended_at
from webhook_deliveries d join inbox_events e on e.agent_id = d.agent_id and e.position = d.position
where d.agent_id = $1 and d.position < $2${status}
order by d.position desc limit $3`

const pages: Readonly<Record<DeliveryStatus | 'any', string>> = {
  pending: waiting,
  delivered: ended(" and d.status = 'delivered'"),
  failed: ended(" and d.status = 'failed'"),
  any: `(${waiting}) union all (${ended('')}) order by position desc limit $3`,
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
