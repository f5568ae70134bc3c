import { beforeAll, describe, expect, test } from 'vitest'
import { explain, rowsLookedAt } from '../../tests/support/explain.ts'
import { storeBench } from '../../tests/support/store.ts'
import { pushes } from './figures.ts'
import { pages } from './webhook-deliveries.ts'
import { giveUpOld } from './webhook-outcomes.ts'
import { retries } from './webhooks.ts'

const bench = storeBench()
const EVENTS = 20_000
const SHOWN = 50
const DUE = 9

/** One full inbox among many small ones; all events were delivered, but one in a thousand failed. */
const load = `
set session_replication_role = replica;
insert into inbox_events (agent_id, position, id, type, ref_kind, ref_id, payload, created_at)
select agent_id, n, agent_id || '_' || n, 'task.available', 'task', 'task_1', '{}', 'epoch'
from (select 'ag_' || nr as agent_id, case nr when 0 then ${EVENTS} else 20 end as events from generate_series(0, 1000) nr) inboxes,
  generate_series(1, events) n;

insert into webhooks (agent_id, url, position, attempts, fence)
select agent_id, 'https://agent.example', max(position), 0, 0 from inbox_events group by agent_id;

insert into webhook_deliveries (agent_id, position, status, attempts, ended_at, expires_at)
select agent_id, position, case when position % 1000 = 7 then 'failed' else 'delivered' end, 1, 'epoch', 'epoch'
from inbox_events;`

const TABLES = ['inbox_events', 'webhooks', 'webhook_deliveries', 'webhook_retries']

const queue = (agentId: string, step: number) => `
insert into webhook_retries (agent_id, position, attempts, last_error, next_attempt_at)
select ${agentId}, n * ${step}, 1, 'refused', 'epoch' from generate_series(1, ${EVENTS} / ${step}) n`

/** What is in the queue when it is analysed; then a few events are due. */
const MOMENTS = {
  'nothing is due': 'select',
  'two events are due': queue(`'ag_0'`, EVENTS / 2),
  'many events of one agent are due': queue(`'ag_0'`, 40),
  'events of many agents are due': queue(`'ag_' || n`, 40),
}

async function analysedWhen(moment: keyof typeof MOMENTS): Promise<void> {
  await bench.sql.query('delete from webhook_retries')
  await bench.sql.query(MOMENTS[moment])
  await bench.sql.query('analyze webhook_retries; delete from webhook_retries')
  await bench.sql.query(queue(`'ag_0'`, Math.floor(EVENTS / DUE)))
}

beforeAll(async () => {
  for (const table of TABLES) await bench.sql.query(`alter table ${table} set (autovacuum_enabled = off)`)
  await bench.sql.query(load)
  for (const table of TABLES) await bench.sql.query(`vacuum analyze ${table}`)
  await bench.sql.query('set plan_cache_mode = force_generic_plan')
})

const NOW = '2026-01-01'

describe.each(Object.keys(MOMENTS) as (keyof typeof MOMENTS)[])(
  'of a full inbox, when the queue was analysed while %s,',
  (moment) => {
    beforeAll(() => analysedWhen(moment))

    test('only the events that a page shows are looked at', async () => {
      for (const [status, text] of Object.entries(pages)) {
        for (const before of [EVENTS + 1, EVENTS / 2, 200]) {
          const plan = await explain(bench.sql, { text, values: ['ag_0', before, SHOWN] })
          expect(rowsLookedAt(plan, 'inbox_events'), `${status} before ${before}`).toBeLessThanOrEqual(2 * SHOWN)
        }
      }
    })

    test('only the events that are due again are looked at', async () => {
      const plan = await explain(bench.sql, { text: retries, values: ['ag_0', NOW, SHOWN] })
      expect(rowsLookedAt(plan, 'inbox_events')).toBe(DUE)
    })

    test('only the events that are waiting are looked at for the figures', async () => {
      const plan = await explain(bench.sql, { text: pushes, values: [NOW] })
      expect(rowsLookedAt(plan, 'inbox_events')).toBe(DUE)
    })

    test('only the events that are given up are looked at', async () => {
      const plan = await explain(bench.sql, { text: giveUpOld, values: ['ag_0', 0, NOW, NOW, NOW] })
      expect(rowsLookedAt(plan, 'inbox_events')).toBe(DUE)
    })
  },
)
