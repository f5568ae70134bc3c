import type { Pool } from 'pg'

const pending = `
insert into ledger_pending (id, type, agent_id, agent_name, public_key, profile_hash)
select 'led_bench' || nr, 'registration', agent.id, agent.name, agent.public_key, sha256(nr::text::bytea)
from generate_series(1, $1::int) nr
join (select id, name, public_key, row_number() over (order by id) - 1 as place, count(*) over () as total from agents) agent
  on agent.place = nr % agent.total
order by nr`

/** Lets the node on this database seal this many entries. */
export async function seedLedger(database: Pool, entries: number): Promise<void> {
  await database.query(pending, [entries])
}
