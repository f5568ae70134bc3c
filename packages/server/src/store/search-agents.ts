import type { AgentSearch, FoundAgent } from '../ports/directory-store.ts'
import type { Reader } from '../ports/store.ts'
import { type AgentRow, agentTable } from './agent-row.ts'
import { capabilityKeys } from './capability-keys.ts'
import type { Connection } from './connection.ts'
import { columnsOf } from './table.ts'
import { countAgents } from './tallies.ts'

type Statement = { readonly text: string; readonly values: readonly unknown[] }

/** Conditions with their values; statuses stand in the text, so that PostgreSQL knows how many rows they leave. */
function conditionsOf({ statuses, words, capabilities, protocols }: AgentSearch): Statement {
  const values: unknown[] = []
  const given = (value: unknown): string => `$${values.push(value)}`
  const conditions = [
    `s.status in (${statuses.map((status) => `'${status}'`).join(', ')})`,
    words.length > 0 ? `s.words @@ ${given(tsqueryOf(words))}::tsquery` : '',
    capabilities.length > 0 ? `s.capability_keys @> ${given(capabilityKeys(capabilities))}::text[]` : '',
    protocols.length > 0 ? `s.protocol_keys @> ${given(capabilityKeys(protocols))}::text[]` : '',
  ]
  return { text: conditions.filter((condition) => condition !== '').join(' and '), values }
}

/** All of the words, each as itself, as the beginning of a longer one, or as one of those that it may stand for. */
const tsqueryOf = (words: AgentSearch['words']): string =>
  words.map((meanings) => `(${meanings.map((word) => `${quoted(word)}:*`).join(' | ')})`).join(' & ')

const quoted = (word: string): string => `'${word.replace(/['\\]/g, '$&$&')}'`

const ORDERS: Readonly<Record<AgentSearch['sort'], string>> = {
  reputation: 'r.score desc, r.nr',
  registered_at: 's.registered_at desc, s.agent_id',
  name: 's.name_order, s.agent_id',
}

export function pageOfAgents(search: AgentSearch): Statement {
  const { text, values } = conditionsOf(search)
  const order = ORDERS[search.sort]
  const page = [...values, search.limit, search.offset]
  return {
    text: `
select ${columnsOf(agentTable, 'a')}, r.score as reputation_score, r.received as verification_count
from (
  select s.agent_id from agent_search s join reputations r using (agent_id)
  where ${text}
  order by ${order} limit $${page.length - 1} offset $${page.length}
) page
join agents a on a.id = page.agent_id
join agent_search s on s.agent_id = page.agent_id
join reputations r on r.agent_id = page.agent_id
order by ${order}`,
    values: page,
  }
}

export function countOfAgents(search: AgentSearch): Statement {
  const { text, values } = conditionsOf(search)
  return { text: `select count(*)::int as total from agent_search s where ${text}`, values }
}

const asksForContent = ({ words, capabilities, protocols }: AgentSearch): boolean =>
  words.length + capabilities.length + protocols.length > 0

type FoundRow = AgentRow & { readonly reputation_score: number; readonly verification_count: number }

const readFound = (row: FoundRow): FoundAgent => ({
  agent: agentTable.read(row),
  score: row.reputation_score,
  verifications: row.verification_count,
})

/** Whether few or many agents fit decides the plan, so every search is planned for its own values. */
export const searchAgentsRead = (connection: Connection) =>
  ({
    async countAgents(search) {
      if (!asksForContent(search)) return countAgents(connection, search.statuses)
      const { text, values } = countOfAgents(search)
      return (await connection.rowsPlannedAnew<{ total: number }>(text, values))[0]?.total ?? 0
    },
    async searchAgents(search) {
      const { text, values } = pageOfAgents(search)
      return (await connection.rowsPlannedAnew<FoundRow>(text, values)).map(readFound)
    },
  }) satisfies Partial<Reader>
