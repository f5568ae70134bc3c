import { beforeAll, describe, expect, test } from 'vitest'
import { blocksOf, explain, nodesOf, type Plan } from '../../tests/support/explain.ts'
import { storeBench } from '../../tests/support/store.ts'
import type { AgentSearch } from '../ports/directory-store.ts'
import { countOfAgents, pageOfAgents } from './search-agents.ts'

const bench = storeBench()
const AGENTS = 20_000

/** Everybody knows `common` and can do `usual`; a tenth knows a word of ten, and twenty one of a thousand; a hundred are suspended. */
const load = `
insert into agents (id, public_key, status, suspended_from, name, name_key, description, capabilities, capability_keys,
  protocols, tags, skills, registered_at, house, bond_balance, delivered, accepted, disputed, accepted_by_person,
  expired_claims, lost_disputes, rating_count, rating_sum)
select 'ag_' || lpad(n::text, 20, '0'), n, status, case status when 'suspended' then 'active' end, 'Agent ' || n, n,
  repeat('text ', 40), '{usual}', '{usual}', '{}', '{}', '[]', timestamptz 'epoch' + n * interval '1 second', false,
  0, 0, 0, 0, 0, 0, 0, 0, 0
from (select n, case when n % 200 = 0 then 'suspended' else 'active' end as status from generate_series(1, ${AGENTS}) n) numbered;

insert into reputations (agent_id, score, sums_as_of, computed_at)
select id, (row_number() over (order by id) * 7919 % 10007) / 20000.0, registered_at, registered_at from agents order by id;

insert into agent_search (agent_id, status, registered_at, name_order, capability_keys, protocol_keys, words)
select id, status, registered_at, lower(name), array['usual', 'rare' || right(id, 3)], array['proto' || right(id, 1)],
  array_to_tsvector(array['common', 'tenth' || right(id, 1), 'rare' || right(id, 3)])
from agents`

const search: AgentSearch = {
  statuses: ['pending', 'active'],
  words: [],
  capabilities: [],
  protocols: [],
  sort: 'reputation',
  limit: 20,
  offset: 0,
}

const scannedIn = (plan: Plan) =>
  nodesOf(plan).flatMap((node) => (node['Node Type'] === 'Seq Scan' ? [node['Relation Name']] : []))

const planOf = (statement: ReturnType<typeof pageOfAgents>) => explain(bench.sql, statement)

beforeAll(async () => {
  await bench.sql.query(load)
  for (const table of ['agents', 'agent_search', 'reputations']) await bench.sql.query(`vacuum analyze ${table}`)
})

const SORTS: readonly AgentSearch['sort'][] = ['reputation', 'registered_at', 'name']
const FOR_A_PAGE = 400

describe('a page is read through indexes and costs little', () => {
  test.each(SORTS)('without conditions, sorted by %s, whatever the status', async (sort) => {
    for (const statuses of [search.statuses, ['active'], ['suspended'], ['pending', 'active', 'suspended']] as const) {
      const plan = await planOf(pageOfAgents({ ...search, sort, statuses }))
      expect({ statuses, scanned: scannedIn(plan) }).toEqual({ statuses, scanned: [] })
      expect(blocksOf(plan), String(statuses)).toBeLessThan(2 * FOR_A_PAGE)
    }
  })

  test.each(SORTS)('sorted by %s, when everybody fits or hardly anybody', async (sort) => {
    const conditions: readonly Partial<AgentSearch>[] = [
      { words: [[{ word: 'common', isWhole: false }]] },
      { capabilities: ['usual'] },
      { words: [[{ word: 'rare007', isWhole: false }]] },
      { capabilities: ['rare007'] },
      { capabilities: ['rare007'], words: [[{ word: 'common', isWhole: false }]], protocols: ['proto7'] },
      { words: [[{ word: 'nothing', isWhole: false }]] },
      { capabilities: ['nothing'] },
    ]
    for (const condition of conditions) {
      const plan = await planOf(pageOfAgents({ ...search, sort, ...condition }))
      expect({ condition, scanned: scannedIn(plan) }).toEqual({ condition, scanned: [] })
      expect(blocksOf(plan), JSON.stringify(condition)).toBeLessThan(FOR_A_PAGE)
    }
  })

  test.each(SORTS)('also when it is a late one, sorted by %s', async (sort) => {
    const plan = await planOf(pageOfAgents({ ...search, sort, offset: AGENTS / 2 }))
    expect(blocksOf(plan)).toBeLessThan(2 * FOR_A_PAGE)
  })
})

describe('a total is counted through the index', () => {
  test('of few agents at the cost of those few', async () => {
    for (const condition of [
      { words: [[{ word: 'rare007', isWhole: false }]] },
      { capabilities: ['rare007', 'usual'] },
      { words: [[{ word: 'nothing', isWhole: false }]] },
    ]) {
      const plan = await planOf(countOfAgents({ ...search, ...condition }))
      expect(scannedIn(plan)).toEqual([])
      expect(blocksOf(plan)).toBeLessThan(100)
    }
  })

  test('of many agents without looking at a single profile', async () => {
    const plan = await planOf(countOfAgents({ ...search, words: [[{ word: 'tenth3', isWhole: false }]] }))
    expect(nodesOf(plan).map((node) => node['Relation Name'])).not.toContain('agents')
    expect(blocksOf(plan)).toBeLessThan(1_000)
  })

  test('of all agents from the tallies', async () => {
    expect(await bench.store.countAgents(search)).toBe(0)
  })
})
