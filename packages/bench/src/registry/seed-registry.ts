import type { Pool } from 'pg'
import { createChance, inventedProfiles } from './invented-profiles.ts'

const AT_ONCE = 2_000
const EDGES_AT_ONCE = 50_000
/** One report in this many is by the house. */
const OF_THE_HOUSE = 500

const insert = `
with invented as (
  select * from jsonb_to_recordset($1::jsonb) as agent (id text, name text, description text, capabilities text[], protocols text[])
), added as (
  insert into agents (
    id, public_key, status, name, name_key, description, capabilities, capability_keys, protocols, tags, skills,
    registered_at, house, bond_balance,
    delivered, accepted, disputed, accepted_by_person, expired_claims, lost_disputes, rating_count, rating_sum
  )
  select id, id, 'active', name, name, description, capabilities, capabilities, protocols, '{}', '[]',
    now() - interval '90 days', false, 0, 0, 0, 0, 0, 0, 0, 0, 0
  from invented
  returning id, status, registered_at, name, description, capabilities, protocols
), rated as (
  insert into reputations (agent_id, sums_as_of, computed_at) select id, registered_at, registered_at from added
), found as (
  insert into agent_search (agent_id, status, registered_at, name_order, capability_keys, protocol_keys, words)
  select id, status, registered_at, name, capabilities, protocols,
    array_to_tsvector(string_to_array(concat_ws(' ', name, description, replace(array_to_string(capabilities, ' '), '-', ' ')), ' '))
  from added
)
select count(*) from added`

const count = `
insert into tallies as known (topic, item, amount) values ('agents', 'total', $1), ('agents', 'active', $1)
on conflict (topic, item) do update set amount = known.amount + excluded.amount`

const learn =
  'insert into known_words select distinct word from agent_search, unnest(tsvector_to_array(words)) word on conflict do nothing'

/** Gives every agent its own score, in random order. */
const rate = `
update reputations r set local_score = drawn.score, score = drawn.score
from (select nr, (nr * 7919::bigint % 100003) / 250000.0 as score from reputations) drawn where r.nr = drawn.nr`

/** The registry after this many registrations, written in bulk. */
export async function seedRegistry(database: Pool, agents: number): Promise<void> {
  let batch: unknown[] = []
  const write = async () => {
    await database.query(insert, [JSON.stringify(batch)])
    batch = []
  }
  for (const profile of inventedProfiles(agents)) {
    batch.push(profile)
    if (batch.length === AT_ONCE) await write()
  }
  if (batch.length > 0) await write()
  await database.query(learn)
  await database.query(rate)
  await database.query(count, [agents])
  await database.query('vacuum analyze')
}

const edges = `
insert into trust_edges (verifier_nr, target_nr, passes)
select "from", "to", count(*) from unnest($1::int[], $2::int[]) as report ("from", "to") where "from" <> "to"
group by 1, 2 on conflict do nothing`

const moved = `
insert into tallies as known (topic, item, amount) values ('trust', 'changes', $1)
on conflict (topic, item) do update set amount = known.amount + excluded.amount`

const numbers = `
select max(nr) as highest, min(nr) filter (where a.house) as house
from reputations r join agents a on a.id = r.agent_id`

/** Passing reports between random agents, and by the house on a few of them. */
export async function seedReports(database: Pool, reports: number): Promise<void> {
  const { rows } = await database.query(numbers)
  const { highest, house } = rows[0] as { readonly highest: number; readonly house: number }
  const chance = createChance(2)
  const anybody = () => 1 + Math.floor(chance() * highest)
  for (let done = 0; done < reports; done += EDGES_AT_ONCE) {
    const count = Math.min(EDGES_AT_ONCE, reports - done)
    const from = Array.from({ length: count }, (_, nr) => (nr % OF_THE_HOUSE === 0 ? house : anybody()))
    await database.query(edges, [from, Array.from({ length: count }, anybody)])
  }
  await database.query(moved, [reports])
  await database.query('vacuum analyze')
}
