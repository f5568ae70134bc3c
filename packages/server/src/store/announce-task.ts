import { isoTime } from '../domain/instant.ts'
import type { Task } from '../domain/task/task.ts'
import type { Transaction } from '../ports/store.ts'
import { capabilityKeys } from './capability-keys.ts'
import type { Connection } from './connection.ts'

/** Locked in the order of the agents' ids, as every writer of events does. */
const lockInboxes = `
select i.agent_id from inboxes i
join agents a on a.id = i.agent_id
where a.status = 'active' and a.capability_keys @> $1 and a.id <> $2
order by i.agent_id
for no key update of i`

const announce = `
with told as (
  select * from unnest($1::text[], $2::text[]) as event (agent_id, id)
), moved as (
  update inboxes i set last_position = i.last_position + 1, unread = i.unread + 1
  from told where i.agent_id = told.agent_id
  returning i.agent_id, i.last_position, told.id
)
insert into inbox_events (agent_id, position, id, type, ref_kind, ref_id, actor_id, payload, created_at)
select agent_id, last_position, id, 'task.available', 'task', $3, $4, $5, $6 from moved`

const payloadOf = ({ id, title, category, requiredCapabilities, bounty }: Task) => ({
  task_id: id,
  title,
  category,
  required_capabilities: requiredCapabilities,
  bounty_amount: bounty === null ? null : bounty.amount.toString(),
  bounty_network: bounty?.network ?? null,
})

export const announceTaskWrite = (connection: Connection) =>
  ({
    /** A task that asks for no capability is announced to nobody. */
    async announceTask(task, at, newId) {
      const asked = capabilityKeys(task.requiredCapabilities)
      if (asked.length === 0) return 0
      const matching = await connection.rows<{ agent_id: string }>(lockInboxes, [asked, task.creator.id])
      if (matching.length === 0) return 0
      const agentIds = matching.map(({ agent_id }) => agent_id)
      const actor = task.creator.kind === 'owner' ? null : task.creator.id
      const event = [task.id, actor, JSON.stringify(payloadOf(task)), isoTime(at)]
      return connection.change(announce, [agentIds, agentIds.map(() => newId()), ...event])
    },
  }) satisfies Partial<Transaction>
