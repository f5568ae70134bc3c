import { isoTime } from '../domain/instant.ts'
import type { Transaction } from '../ports/store.ts'
import type { Connection } from './connection.ts'

/** Changes the status wherever it stands, and the tallies with it. A suspension counts for trust: its reports fall away. */
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

/** One who is verified while suspended comes back as active. */
const activateLater = `
update agents set suspended_from = 'active' where id = $1 and status = 'suspended' and suspended_from = 'pending'`

/** Waits for nobody: whoever holds the row can as well be the one who is noted next time. */
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
