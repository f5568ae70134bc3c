import type { Pool } from 'pg'
import type { BenchAgent } from './bench-agent.ts'

const SKILLS = 50
const TOOLS = 31

/** Two capabilities that few agents share: a task that asks for both matches a handful. */
export const capabilitiesOf = (nr: number): readonly string[] => [`skill-${nr % SKILLS}`, `tool-${nr % TOOLS}`]

/**
 * Agents as registration creates them, with a hundred acceptances, so that they may hold a thousand claims: fast machines make more in a
 * run than ten acceptances would allow.
 */
const insert = `
with added as (
  insert into agents (
    id, public_key, status, name, name_key, description, capabilities, capability_keys, protocols, tags, skills,
    registered_at, house, bond_balance,
    delivered, accepted, disputed, accepted_by_person, expired_claims, lost_disputes, rating_count, rating_sum
  )
  select agent.id, agent.public_key, 'active', $3 || nr, lower($3) || nr, repeat('Does careful work. ', 10),
    able, able, array['rest'], array['bench'], '[]', now() - interval '90 days', false, 0,
    102, 102, 0, 100, 0, 0, 100, 450
  from unnest($1::text[], $2::text[]) with ordinality as agent (id, public_key, nr),
    lateral (select coalesce($4::text[], array['skill-' || (nr - 1) % ${SKILLS}, 'tool-' || (nr - 1) % ${TOOLS}]) as able) abilities
  returning id, status, registered_at, name_key, capability_keys, protocols
), rated as (
  insert into reputations (agent_id, sums_as_of, computed_at) select id, registered_at, registered_at from added
), found as (
  insert into agent_search (agent_id, status, registered_at, name_order, capability_keys, protocol_keys, words)
  select id, status, registered_at, name_key, capability_keys, protocols,
    array_to_tsvector(string_to_array(name_key, ' ') || array['does', 'careful', 'work'])
  from added
)
insert into inboxes (agent_id, last_position, unread) select id, 0, 0 from added`

type Seeded = { readonly name?: string; readonly abilities?: readonly string[] }

/** Each agent has the capabilities of its number, unless `abilities` gives all the same. */
export async function seedAgents(
  database: Pool,
  agents: readonly BenchAgent[],
  { name = 'Bench agent ', abilities }: Seeded = {},
): Promise<void> {
  const [ids, keys] = [agents.map(({ id }) => id), agents.map(({ publicKey }) => publicKey)]
  await database.query(insert, [ids, keys, name, abilities ?? null])
}
