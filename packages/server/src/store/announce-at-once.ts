import { type Instant, isoTimeOrNull } from '../domain/instant.ts'
import type { Task } from '../domain/task/task.ts'
import type { Transaction } from '../ports/store.ts'
import { addEvents } from './add-events.ts'
import { availableEvent } from './announce-task.ts'
import { capabilityKeys } from './capability-keys.ts'
import type { Connection } from './connection.ts'
import { inJson, type RowStatement } from './row-statement.ts'

/** Up to this many agents are told in the transaction that opens the task; for more, the jobs do it. */
const FEW = 25

/** Agents who can do what a task asks for, one more than are told at once; all are found before some are taken, by index. */
const chosenFor = (asked: string, creator: string): string => `(
  with able as materialized (
    select a.id from agents a where a.status = 'active' and a.capability_keys @> ${asked} and a.id <> ${creator}
  )
  select id from able limit ${FEW + 1}
) chosen`

/** The inbox is null where another transaction holds it. */
const withInbox = `
left join lateral (
  select i.agent_id from inboxes i where i.agent_id = chosen.id for no key update skip locked
) held on true`

/** Matching agents of a task, with their inboxes locked. */
export const holdInboxes: RowStatement = {
  one: `
select $1 as task_id, chosen.id, held.agent_id as inbox
from ${chosenFor('(select $2::text[])', '$3')} ${withInbox}`,
  many: `
select given.task_id, chosen.id, held.agent_id as inbox
from json_to_recordset($1) as given (task_id text, asked text[], creator_id text)
cross join lateral ${chosenFor('given.asked', 'given.creator_id')} ${withInbox}`,
  pack: inJson(['task_id', 'asked', 'creator_id']),
}

/** The jobs have already told a batch of agents about this opening. */
const isBegun = `select from task_announcements where task_id = $1 and open_until is not distinct from $2`

export const announceAtOnceWrite = (connection: Connection) =>
  ({
    async announceAtOnce(task, at, newId) {
      if (capabilityKeys(task.requiredCapabilities).length === 0) return true
      if ((await connection.first(isBegun, [task.id, isoTimeOrNull(task.expiresAt)])) !== null) return false
      const few = await whomToTell(connection, task)
      if (few !== null) await tellAll(connection, few, task, at, newId)
      return few !== null
    },
  }) satisfies Partial<Transaction>

/**
 * The agents to tell, with their inboxes locked. Null when there are more than FEW, or another transaction holds one of the
 * inboxes: the jobs announce the task then, so that posting and paying never wait for an inbox. A task that asks for no
 * capability is announced to nobody.
 */
export async function whomToTell(connection: Connection, task: Task): Promise<readonly string[] | null> {
  const asked = capabilityKeys(task.requiredCapabilities)
  if (asked.length === 0) return []
  type Able = { readonly task_id: string; readonly id: string; readonly inbox: string | null }
  const found = await connection.askRow<Able>(holdInboxes, [task.id, asked, task.creator.id])
  const able = found.filter((row) => row.task_id === task.id)
  return able.length > FEW || able.some(({ inbox }) => inbox === null) ? null : able.map(({ id }) => id)
}

/** The caller must hold the inboxes of these agents. */
export const tellAll = (
  connection: Connection,
  agentIds: readonly string[],
  task: Task,
  at: Instant,
  newId: () => string,
): Promise<void> =>
  addEvents(
    connection,
    agentIds.map((agentId) => ({ agentId, ...availableEvent(task) })),
    at,
    newId,
  )
