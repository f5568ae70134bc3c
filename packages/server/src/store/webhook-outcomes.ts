import { limits } from '@guildhall/protocol'
import { isoTime, isoTimeOrNull } from '../domain/instant.ts'
import type { Rest, WebhookWrites } from '../ports/webhook-store.ts'
import type { Connection } from './connection.ts'

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
export const giveUpOld = `
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
  delete from webhook_retries r using held
  where r.agent_id = held.agent_id and r.next_attempt_at <= $4
    and (select e.created_at from inbox_events e where e.agent_id = r.agent_id and e.position = r.position) <= $3
  returning r.agent_id, r.position, r.attempts, r.last_error
), noted as (
  insert into webhook_deliveries (agent_id, position, status, attempts, last_error, ended_at, expires_at)
  select agent_id, position, 'failed', attempts, last_error, $4, $5
  from (select * from unseen union all select * from overdue) lost
  on conflict do nothing
  returning position
)
select (select count(*) from noted)::int as count, (select count(*) from unseen)::int as unseen`

const keptUntil = (at: number): string => isoTime(at + limits.webhook.recordsKeptMs)
const restValues = ({ failures, until }: Rest) => [failures, isoTimeOrNull(until)]

type OutcomeWrites = Pick<WebhookWrites, 'noteDelivered' | 'noteFailed' | 'noteGivenUp' | 'giveUpEvents'>

export const webhookOutcomeWrites = (connection: Connection): OutcomeWrites => ({
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
