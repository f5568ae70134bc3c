import type { Transaction } from '../ports/store.ts'
import { eventId, eventOf, idParts } from './announce-task.ts'
import { capabilityKeys } from './capability-keys.ts'
import type { Connection } from './connection.ts'
import { insertInto } from './table.ts'
import { taskTable } from './task-row.ts'

/** So many are told with the posting itself; more are told by the jobs. */
const FEW = 25

const insertion = insertInto(taskTable, [], { announced: (value) => `${value} or (select at_once from telling)` })
const [asked, poster, idStart, idWhole, taskId, actor, payload, at] = insertion.free(8)
const place = (column: string): string => `$${taskTable.columns.indexOf(column) + 1}`

/**
 * One statement: the task, its capabilities as they are looked for, the tallies, and an event for everybody whom it is for.
 * When they are many, or somebody else is telling one of them something, nobody is told and the task waits for the jobs:
 * a posting waits for no inbox.
 */
const post = `
with able as materialized (
  select a.id from agents a
  where cardinality(${asked}::text[]) > 0 and a.status = 'active' and a.capability_keys @> (select ${asked}::text[]) and a.id <> ${poster}
), chosen as materialized (
  select id from able limit ${FEW + 1}
), held as materialized (
  select i.agent_id from inboxes i join chosen on chosen.id = i.agent_id
  order by i.agent_id
  for no key update of i skip locked
), telling as materialized (
  select (select count(*) from chosen) <= ${FEW} and (select count(*) from held) = (select count(*) from chosen) as at_once
), added as (
  ${insertion.text}
), capable as (
  insert into task_capabilities (task_id, capability, status, category, bounty_amount, created_at)
  select ${place('id')}, capability, ${place('status')}, ${place('category')}, ${place('bounty_amount')}, ${place('created_at')}
  from unnest(${asked}::text[]) as capability
), counted as (
  insert into tally_changes (topic, item, change) values ('tasks', ${place('status')}, 1)
), moved as (
  update inboxes i set last_position = i.last_position + 1, unread = i.unread + 1
  from held, telling where telling.at_once and i.agent_id = held.agent_id
  returning i.agent_id, i.last_position
)
insert into inbox_events (agent_id, position, id, type, ref_kind, ref_id, actor_id, payload, created_at)
select agent_id, last_position, ${eventId(`${idStart}`, `${idWhole}`)}, 'task.available', 'task', ${taskId}, ${actor}, ${payload}, ${at}
from moved`

export const postTaskWrite = (connection: Connection) =>
  ({
    /** A task that asks for no capability is announced to nobody. */
    async postTask(task, postedAt, newId) {
      const asks = capabilityKeys(task.requiredCapabilities)
      const values = insertion.values(asks.length === 0 ? { ...task, announced: true } : task)
      const event = [...idParts(newId()), ...eventOf(task, postedAt)]
      await connection.write(post, [...values, asks, task.creator.id, ...event])
    },
  }) satisfies Partial<Transaction>
