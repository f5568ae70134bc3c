import { TASK_STATUSES } from '@guildhall/protocol'
import { beforeAll, expect, test } from 'vitest'
import { blocksOf, explain, nodesOf } from '../../tests/support/explain.ts'
import { storeBench } from '../../tests/support/store.ts'
import type { TaskFilter } from '../ports/task-store.ts'
import { isPlannedAnew, listing, listingFingerprint } from './list-tasks.ts'

const bench = storeBench()

const page: TaskFilter = {
  statuses: TASK_STATUSES.filter((status) => status !== 'cancelled' && status !== 'expired'),
  category: null,
  capability: null,
  creator: null,
  claimer: null,
  minAmount: null,
  limit: 20,
  offset: 0,
}

const load = `
insert into agents (id, public_key, status, name, name_key, description, capabilities, capability_keys, protocols,
  tags, skills, registered_at, house, bond_balance, delivered, accepted,
  disputed, accepted_by_person, expired_claims, lost_disputes, rating_count, rating_sum)
select 'ag_' || n, n, 'active', n, n, '', '{}', '{}', '{}', '{}', '[]', 'epoch', false, 0, 0, 0, 0, 0, 0, 0, 0, 0
from generate_series(0, 99) n;

insert into tasks (id, status, creator_kind, creator_id, title, description, category, required_capabilities,
  output_format, created_at, claimed_by, receipts_count, revision_count, bounty_amount, bounty_network, payment_status,
  announced)
select 'task_' || lpad(n::text, 20, '0'), status, 'agent', 'ag_' || n * 7 % 100, 'title', repeat('text ', 40),
  (array['research', 'code', 'content', 'data', 'automation'])[n % 5 + 1], '{}', 'json',
  timestamptz 'epoch' + n * interval '1 second', case when status in ('claimed', 'submitted', 'verified') then 'ag_' || n % 100 end,
  0, 0, 100000 + n * 50::bigint, 'eip155:8453', 'pending', true
from (
  select n, (array['open', 'claimed', 'submitted', 'verified', 'verified', 'cancelled', 'expired'])[n % 7 + 1] as status
  from generate_series(1, 20000) n
) numbered;

insert into task_capabilities (task_id, capability, status, category, bounty_amount, created_at)
select id, capability, case status when 'submitted' then 'claimed' else status end, category, bounty_amount, created_at
from tasks, unnest(array['common', 'rare' || right(id, 3)]) as capability;
`

const planOf = (filter: Partial<TaskFilter>, read = listing) => explain(bench.sql, read({ ...page, ...filter }))

/** What is looked at to show a page: index pages, and the tasks that are shown. */
const BLOCKS = 300

beforeAll(async () => {
  await bench.sql.query(load)
  for (const table of ['agents', 'tasks', 'task_capabilities']) await bench.sql.query(`vacuum analyze ${table}`)
})

test.each([
  ['a page is', 'auto', listing],
  ['a page is', 'force_generic_plan', listing],
  ['its fingerprint is', 'auto', listingFingerprint],
  ['its fingerprint is', 'force_generic_plan', listingFingerprint],
] as const)('%s read through indexes and costs little, whatever is asked for (%s)', async (_, mode, read) => {
  const optional = {
    category: 'code',
    capability: 'common',
    creator: 'ag_7',
    claimer: 'ag_9',
    minAmount: 1_000_000n,
  } as const
  const names = Object.keys(optional)
  for (const statuses of [page.statuses, ['open'] as const, ['submitted'] as const, null]) {
    for (let chosen = 0; chosen < 2 ** names.length; chosen++) {
      const filter = Object.fromEntries(Object.entries(optional).filter((_, index) => chosen & (1 << index)))
      const isKept = !isPlannedAnew({ ...page, ...filter, statuses })
      await bench.sql.query(`set plan_cache_mode = ${isKept ? mode : 'force_custom_plan'}`)
      const plan = await planOf({ ...filter, statuses }, read)
      const scanned = nodesOf(plan).filter(
        (node) => node['Node Type'] === 'Seq Scan' && node['Relation Name'] !== 'agents',
      )
      expect({ filter, statuses, scanned }).toEqual({ filter, statuses, scanned: [] })
      expect(blocksOf(plan), JSON.stringify(Object.keys(filter))).toBeLessThan(BLOCKS)
    }
  }
})

test.each([
  ['a minimum that few bounties reach', { minAmount: 1_099_000n }],
  ['a minimum that no bounty reaches', { minAmount: 10_000_000n }],
  ['a capability that few tasks ask for', { capability: 'rare007' }],
  ['a capability that no task asks for', { capability: 'nothing' }],
  ['a category that no task has', { category: 'testing' }],
  ['a category that no task with the capability has', { capability: 'common', category: 'testing' }],
  ['a creator without tasks', { creator: 'ag_nobody' }],
  ['a claimer without tasks', { claimer: 'ag_nobody' }],
] as const)('%s costs even less', async (_, filter) => {
  await bench.sql.query('set plan_cache_mode = auto')
  const plan = await planOf(filter)
  expect(blocksOf(plan)).toBeLessThan(BLOCKS / 2)
})

test('a capability among the submitted costs little, too, once nearly all in hand are claimed', async () => {
  await bench.sql.query(
    `update tasks set status = 'claimed' where status = 'submitted' and id > 'task_00000000000000000100'`,
  )
  await bench.sql.query('vacuum analyze tasks')
  await bench.sql.query('set plan_cache_mode = force_custom_plan')
  expect(blocksOf(await planOf({ capability: 'common', statuses: ['submitted'] }))).toBeLessThan(BLOCKS)
})
