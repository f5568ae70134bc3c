import { isoTime } from '../domain/instant.ts'
import type { AgentLink } from '../domain/owner/owned-agent.ts'
import type { OwnerAgentReads, OwnerAgentWrites } from '../ports/owner-agent-store.ts'
import { type AgentRow, agentTable } from './agent-row.ts'
import type { Connection } from './connection.ts'
import { toBytes } from './hash-bytes.ts'
import { columnsOf } from './table.ts'

const owned = `
select ${columnsOf(agentTable, 'a')}, l.linked_at from agent_owners l join agents a on a.id = l.agent_id
where l.owner_id = $1 order by l.linked_at desc, l.agent_id limit $2`

const saveCode = `
insert into agent_codes (owner_id, hash, expires_at) values ($1, $2, $3)
on conflict (owner_id) do update set hash = excluded.hash, expires_at = excluded.expires_at`

/** The update changes nothing; it makes RETURNING give the existing link. */
const link = `
insert into agent_owners as known (agent_id, owner_id, linked_at) values ($1, $2, $3)
on conflict (agent_id) do update set owner_id = known.owner_id
returning owner_id, linked_at`

type LinkRow = { readonly owner_id: string; readonly linked_at: number }

export const ownerAgentReads = (connection: Connection): OwnerAgentReads => ({
  async ownedAgents(ownerId, limit) {
    const rows = await connection.rows<AgentRow & { readonly linked_at: number }>(owned, [ownerId, limit])
    return rows.map((row) => ({ agent: agentTable.read(row), linkedAt: row.linked_at }))
  },
})

export const ownerAgentWrites = (connection: Connection): OwnerAgentWrites => ({
  async saveAgentCode(ownerId, hash, expiresAt) {
    await connection.change(saveCode, [ownerId, toBytes(hash), isoTime(expiresAt)])
  },
  async takeAgentCode(hash, now) {
    const text = 'delete from agent_codes where hash = $1 and expires_at > $2 returning owner_id'
    const row = await connection.first<{ owner_id: string }>(text, [toBytes(hash), isoTime(now)])
    return row?.owner_id ?? null
  },
  async linkAgent(agentId, ownerId, at): Promise<AgentLink> {
    const row = await connection.first<LinkRow>(link, [agentId, ownerId, isoTime(at)])
    return { ownerId: row?.owner_id ?? ownerId, linkedAt: row?.linked_at ?? at }
  },
  unlinkAgent: async (agentId, ownerId) =>
    (await connection.change('delete from agent_owners where agent_id = $1 and owner_id = coalesce($2, owner_id)', [
      agentId,
      ownerId,
    ])) === 1,
})
