import { afterEach, beforeEach, expect, test } from 'vitest'
import { nodesOf, type Plan, rowsLookedAt } from '../../tests/support/explain.ts'
import { storeBench } from '../../tests/support/store.ts'
import { addEvent } from './add-events.ts'
import { countForAgents, lockAgents } from './agents.ts'
import { holdInboxes } from './announce-at-once.ts'
import type { RowStatement } from './row-statement.ts'
import { capabilitiesFollow, updateOf } from './save-task.ts'
import { sessionSettings } from './session-settings.ts'
import { activeClaims, lockTasks } from './tasks.ts'

const bench = storeBench()

const TABLES = ['agents', 'inboxes', 'tasks', 'task_capabilities']

const load = `
set session_replication_role = replica;
insert into agents (id, public_key, status, name, name_key, description, capabilities, capability_keys, protocols,
  tags, skills, registered_at, house, bond_balance, delivered, accepted,
  disputed, accepted_by_person, expired_claims, lost_disputes, rating_count, rating_sum)
select 'ag_' || n, n, 'active', n, n, '', '{}', array['c' || n], '{}', '{}', '[]', 'epoch', false, 0, 0, 0, 0, 0, 0, 0, 0, 0
from generate_series(1, 5000) n;
insert into inboxes (agent_id, last_position, unread) select 'ag_' || n, 0, 0 from generate_series(1, 5000) n;
insert into tasks (id, status, creator_kind, creator_id, title, description, required_capabilities, output_format, created_at,
  claimed_by, receipts_count, revision_count, payment_status, announced)
select 'task_' || n, 'claimed', 'agent', 'ag_1', 'title', 'text', '{a}', 'json', 'epoch', 'ag_' || n, 0, 0, 'none', true
from generate_series(1, 5000) n;
insert into task_capabilities (task_id, capability, status, created_at)
select 'task_' || n, 'a', 'claimed', 'epoch' from generate_series(1, 5000) n`

type Case = {
  readonly statement: RowStatement
  readonly table: string
  readonly row: (nr: number) => readonly unknown[]
}

const cases: Readonly<Record<string, Case>> = {
  'locking tasks': { statement: lockTasks, table: 'tasks', row: (nr) => [`task_${nr}`] },
  'saving tasks': { statement: updateOf(['status']), table: 'tasks', row: (nr) => [`task_${nr}`, 'submitted'] },
  'capabilities that follow': {
    statement: capabilitiesFollow,
    table: 'task_capabilities',
    row: (nr) => [`task_${nr}`, 'submitted'],
  },
  'locking agents': { statement: lockAgents, table: 'agents', row: (nr) => [`ag_${nr}`] },
  'counting claims': { statement: activeClaims, table: 'tasks', row: (nr) => [`ag_${nr}`] },
  'counting for agents': {
    statement: countForAgents,
    table: 'agents',
    row: (nr) => [`ag_${nr}`, 1, 0, 0, 0, 0, 0, 0, 0],
  },
  'finding whom to tell': { statement: holdInboxes, table: 'agents', row: (nr) => [`task_${nr}`, [`c${nr}`], 'ag_1'] },
  'telling agents': {
    statement: addEvent,
    table: 'inboxes',
    row: (nr) => [`ag_${nr}`, `evt_${nr}`, 'task.delivered', 'task', 'task_1', null, '{}', '2026-01-01'],
  },
}

const GIVEN = [700, 4_999, 3, 2_000]

beforeEach(async () => {
  await bench.sql.query(`begin; set local random_page_cost = ${sessionSettings.random_page_cost}`)
  for (const table of TABLES) await bench.sql.query(`alter table ${table} set (autovacuum_enabled = off)`)
})
afterEach(async () => {
  await bench.sql.query('rollback')
})

/** A plan that is kept is the one made when the statement came first: here before there was a single row. */
async function planOf({ statement, row }: Case, isPlannedWhenEmpty: boolean): Promise<Plan> {
  const { sql } = bench
  const values = statement.pack(GIVEN.map(row))
  const literals = values.map((value) =>
    sql.escapeLiteral(Array.isArray(value) ? `{${value.map((one) => JSON.stringify(one)).join(',')}}` : String(value)),
  )
  const execute = `execute kept (${literals.join(', ')})`
  await sql.query(`set local plan_cache_mode = force_generic_plan; prepare kept as ${statement.many}`)
  try {
    if (isPlannedWhenEmpty) await sql.query(execute)
    await sql.query(load)
    if (!isPlannedWhenEmpty) await sql.query(`analyze ${TABLES.join(', ')}`)
    const { rows } = await sql.query(`explain (analyze, format json) ${execute}`)
    return rows[0]['QUERY PLAN'][0].Plan
  } finally {
    await sql.query('deallocate kept')
  }
}

test.each(Object.keys(cases))(
  '%s, several at once: only these rows are looked at, with statistics and without',
  async (name) => {
    const one = cases[name] as Case
    expect(rowsLookedAt(await planOf(one, false), one.table)).toBeLessThanOrEqual(2 * GIVEN.length)
  },
)

test.each(Object.keys(cases))(
  '%s, several at once: the plan made for empty tables serves full ones, too',
  async (name) => {
    const one = cases[name] as Case
    const plan = await planOf(one, true)
    expect(nodesOf(plan).filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([])
    expect(rowsLookedAt(plan, one.table)).toBeLessThanOrEqual(2 * GIVEN.length)
  },
)
