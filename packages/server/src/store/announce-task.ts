import { DAY } from '@guildhall/protocol'
import type { NewEvent } from '../domain/inbox/event.ts'
import { isoTime, isoTimeOrNull } from '../domain/instant.ts'
import type { Task } from '../domain/task/task.ts'
import type { Transaction } from '../ports/store.ts'
import { capabilityKeys } from './capability-keys.ts'
import type { Connection } from './connection.ts'

const HASHED_CHARACTERS = 20

/** All ids of an announcement share one time prefix; the suffix is a hash of the base id and the agent id. */
const eventId = (start: string, whole: string): string =>
  `${start} || left(encode(sha256(convert_to(${whole} || agent_id, 'UTF8')), 'hex'), ${HASHED_CHARACTERS})`

/**
 * Agents per batch: their inboxes stay locked for a few milliseconds, and streams deliver one batch while the next is written.
 */
const BATCH = 2_500

/** The inboxes are locked in the order of the agents' ids, as every writer of events does. */
const announce = `
with place as (
  select told_up_to from task_announcements where task_id = $7 and open_until is not distinct from $11
), chosen as materialized (
  select a.id from agents a
  where a.status = 'active' and a.capability_keys @> $1 and a.id <> $2
    and a.id > coalesce((select told_up_to from place), '')
  order by a.id
  limit ${BATCH}
), held as (
  select i.agent_id from inboxes i join chosen on chosen.id = i.agent_id
  order by i.agent_id
  for no key update of i
), moved as (
  update inboxes i set last_position = i.last_position + 1, unread = i.unread + 1
  from held where i.agent_id = held.agent_id
  returning i.agent_id, i.last_position
), told as (
  insert into inbox_events (agent_id, position, id, type, ref_kind, ref_id, actor_id, payload, created_at)
  select agent_id, last_position, ${eventId('$3', '$4')},
    $5, $6, $7, $8, $9, $10
  from moved
), kept as (
  insert into task_announcements (task_id, told_up_to, open_until, expires_at)
  select $7, max(id), $11, $12 from chosen having count(*) = ${BATCH}
  on conflict (task_id) do update
  set told_up_to = excluded.told_up_to, open_until = excluded.open_until, expires_at = excluded.expires_at
), ended as (
  delete from task_announcements where task_id = $7 and (select count(*) from chosen) < ${BATCH}
)
select (select count(*) from moved)::int as told, (select count(*) from chosen) < ${BATCH} as done`

const idParts = (id: string) => [id.slice(0, -HASHED_CHARACTERS), id]

/** What is the same for all agents who are told. */
export const availableEvent = ({
  id,
  title,
  category,
  creator,
  requiredCapabilities,
  bounty,
}: Task): Omit<NewEvent, 'agentId'> => ({
  type: 'task.available',
  refKind: 'task',
  refId: id,
  actorId: creator.id,
  payload: {
    task_id: id,
    title,
    category,
    required_capabilities: requiredCapabilities,
    bounty_amount: bounty === null ? null : bounty.amount.toString(),
    bounty_network: bounty?.network ?? null,
  },
})

/** An announcement without progress for this long was overtaken by the end of its task. */
const KEPT_MS = DAY

export const announceTaskWrite = (connection: Connection) =>
  ({
    /** A task that asks for no capability is announced to nobody. */
    async announceTask(task, at, newId) {
      const asked = capabilityKeys(task.requiredCapabilities)
      if (asked.length === 0) return { told: 0, done: true }
      const opening = [isoTimeOrNull(task.expiresAt), isoTime(at + KEPT_MS)]
      const { type, refKind, refId, actorId, payload } = availableEvent(task)
      const event = [type, refKind, refId, actorId, JSON.stringify(payload), isoTime(at)]
      const values = [asked, task.creator.id, ...idParts(newId()), ...event, ...opening]
      return (await connection.first<{ told: number; done: boolean }>(announce, values)) ?? { told: 0, done: true }
    },
  }) satisfies Partial<Transaction>
