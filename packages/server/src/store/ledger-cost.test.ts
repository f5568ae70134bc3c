import { expect, test } from 'vitest'
import { explain, rowsLookedAt } from '../../tests/support/explain.ts'
import { storeBench } from '../../tests/support/store.ts'
import { checkpoints } from './ledger.ts'

const bench = storeBench()

const load = `
set session_replication_role = replica;
insert into checkpoints (sequence, entry_hash, tree_size, root_hash, issued_at, signature)
select n * 100, '', n * 100, '', 'epoch', '' from generate_series(1, 10000) n;
analyze checkpoints`

test('of a long ledger only the checkpoints that are shown are looked at', async () => {
  await bench.sql.query(load)
  await bench.sql.query('set plan_cache_mode = force_generic_plan')
  const plan = await explain(bench.sql, { text: checkpoints, values: [500_001, 501_000, 10] })
  expect(rowsLookedAt(plan, 'checkpoints')).toBe(1 + 10 + 10)
})
