import type { Connection } from './connection.ts'

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
  const changed = await (url === null
    ? connection.change(unfollow, [agentId])
    : connection.change(follow, [agentId, url]))
  if (changed > 0) await connection.change(url === null ? forgetRetries : retryAtOnce, [agentId])
}
