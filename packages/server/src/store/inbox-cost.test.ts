import { beforeAll, expect, test } from 'vitest'
import { explain, rowsLookedAt } from '../../tests/support/explain.ts'
import { storeBench } from '../../tests/support/store.ts'
import { markIds } from './inbox.ts'

const bench = storeBench()

/** Most agents have read what came in; one reads nothing, and gets a lot. */
const load = `
insert into inbox_events (agent_id, position, id, type, ref_kind, ref_id, payload, created_at, read_at)
select 'ag_' || nr, n, 'evt_' || nr || '_' || n, 'task.available', 'task', 'task_1', '{}', 'epoch', case when nr > 0 then now() end
from generate_series(0, 1000) nr, generate_series(1, case nr when 0 then 10000 else 20 end) n;

set session_replication_role = replica;
insert into inboxes (agent_id, last_position, unread)
select agent_id, max(position), count(*) filter (where read_at is null) from inbox_events group by agent_id;`

beforeAll(async () => {
  await bench.sql.query('alter table inbox_events set (autovacuum_enabled = off)')
  await bench.sql.query(load)
})

test.each(['select', 'analyze inbox_events, inboxes'])(
  'whoever marks two events as read does not have all unread ones looked at (%s)',
  async (prepare) => {
    await bench.sql.query(prepare)
    await bench.sql.query('set plan_cache_mode = force_generic_plan')
    const values = ['ag_0', '2026-01-01', ['evt_0_4000', 'evt_0_9000']]
    const plan = await explain(bench.sql, { text: markIds, values })
    expect(rowsLookedAt(plan, 'inbox_events')).toBeLessThanOrEqual(6)
  },
)
