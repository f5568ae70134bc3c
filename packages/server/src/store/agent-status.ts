import { isoTime } from '../domain/instant.ts'
import type { Transaction } from '../ports/store.ts'
import type { Connection } from './connection.ts'

/**
 * Changes the status in every table that holds it, and the tallies. Suspending or reinstating also counts as a change of trust,
 * because the agent's reports stop or start to count.
 */
const changing = (set: string, where: string): string => `
with before as (
  select id, status from agents where id = $1 and ${where} for no key update
), after as (
  update agents a set ${set} from before where a.id = before.id returning a.id, a.status
), found as (
  update agent_search s set status = after.status from after where s.agent_id = after.id
), counted as (
  insert into tally_changes (topic, item, change)
  select 'agents', before.status, -1 from before
  union all select 'agents', after.status, 1 from after
  union all select 'trust', 'changes', 1 from before, after where 'suspended' in (before.status, after.status)
)
select status from after`

const suspend = changing(`status = 'suspended', suspended_from = a.status`, `status <> 'suspended'`)
const reinstate = changing('status = a.suspended_from, suspended_from = null', `status = 'suspended'`)
const activate = changing(`status = 'active'`, `status = 'pending'`)

/** An agent that is verified while suspended becomes active when it is reinstated. */
const activateLater = `
update agents set suspended_from = 'active' where id = $1 and status = 'suspended' and suspended_from = 'pending'`

/** Skips a locked row instead of waiting: a later request can note the agent as well. */
const noteSeen = `
update agents set last_seen_at = $2 where id = (select id from agents where id = $1 for no key update skip locked)`

type StatusRow = { readonly status: 'pending' | 'active' | 'suspended' }

export const agentStatusWrites = (connection: Connection) =>
  ({
    suspendAgent: async (id) => (await connection.first<StatusRow>(suspend, [id])) !== null,
    reinstateAgent: async (id) => (await connection.first<StatusRow>(reinstate, [id]))?.status ?? null,
    async activateAgent(id) {
      if (await connection.first<StatusRow>(activate, [id])) return true
      await connection.change(activateLater, [id])
      return false
    },
    async noteSeen(agentId, at) {
      await connection.write(noteSeen, [agentId, isoTime(at)])
    },
  }) satisfies Partial<Transaction>
