import { AgentStatus } from '@guildhall/protocol'
import type { AgentSearch, FoundAgent, Meaning } from '../ports/directory-store.ts'
import type { Reader } from '../ports/store.ts'
import { type AgentRow, agentTable } from './agent-row.ts'
import { capabilityKeys } from './capability-keys.ts'
import type { Connection } from './connection.ts'
import { columnsOf } from './table.ts'
import { countAgents } from './tallies.ts'

type Statement = { readonly text: string; readonly values: readonly unknown[] }

/** The conditions on words, capabilities and protocols; their values are the first parameters. */
function contentOf({ words, capabilities, protocols }: AgentSearch): Statement {
  const values: unknown[] = []
  const given = (value: unknown): string => `$${values.push(value)}`
  const conditions = [
    words.length > 0 ? `s.words @@ ${given(tsqueryOf(words))}::tsquery` : '',
    capabilities.length > 0 ? `s.capability_keys @> ${given(capabilityKeys(capabilities))}::text[]` : '',
    protocols.length > 0 ? `s.protocol_keys @> ${given(capabilityKeys(protocols))}::text[]` : '',
  ]
  return { text: conditions.filter((condition) => condition !== '').join(' and '), values }
}

/** Statuses are literals, so that PostgreSQL can estimate how many rows they leave. */
const listOf = (statuses: readonly string[]): string => `(${statuses.map((status) => `'${status}'`).join(', ')})`

/** All of the words must match, each by one of its meanings. */
const tsqueryOf = (words: AgentSearch['words']): string =>
  words.map((meanings) => `(${meanings.map(lexeme).join(' | ')})`).join(' & ')

const lexeme = ({ word, isWhole }: Meaning): string => `'${word.replace(/['\\]/g, '$&$&')}'${isWhole ? '' : ':*'}`

const ORDERS: Readonly<Record<AgentSearch['sort'], string>> = {
  reputation: 'r.score desc, r.nr',
  registered_at: 's.registered_at desc, s.agent_id',
  name: 's.name_order, s.agent_id',
}

/** Matching agents of a search with conditions. */
function matching({ statuses, sort }: AgentSearch, content: string): string {
  const rated = sort === 'reputation' ? ' join reputations r using (agent_id)' : ''
  return `select s.agent_id from agent_search s${rated} where ${content} and s.status in ${listOf(statuses)}`
}

/**
 * Matching agents of a search without conditions. By reputation, only the index is read, and the few agents with another status
 * are excluded by their ids.
 */
function everybody({ statuses, sort }: AgentSearch): string {
  if (sort !== 'reputation') return `select s.agent_id from agent_search s where s.status in ${listOf(statuses)}`
  const others = AgentStatus.options.filter((status) => !statuses.includes(status))
  const having = (names: readonly string[]) =>
    `(select s.agent_id from agent_search s where s.status in ${listOf(names)})`
  const isShown = statuses.includes('active') ? `not in ${having(others)}` : `in ${having(statuses)}`
  const fits = others.length === 0 ? 'true' : `r.agent_id ${isShown}`
  return `select r.agent_id from reputations r where ${fits}`
}

export function pageOfAgents(search: AgentSearch): Statement {
  const { text: content, values } = contentOf(search)
  const order = ORDERS[search.sort]
  const page = [...values, search.limit, search.offset]
  return {
    text: `
select ${columnsOf(agentTable, 'a')}, r.score as reputation_score, r.received as verification_count
from (
  ${content === '' ? everybody(search) : matching(search, content)}
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
  const { text, values } = contentOf(search)
  const where = `${text} and s.status in ${listOf(search.statuses)}`
  return { text: `select count(*)::int as total from agent_search s where ${where}`, values }
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
