import { beforeAll, expect, test } from 'vitest'
import { explain, rowsLookedAt } from '../../tests/support/explain.ts'
import { storeBench } from '../../tests/support/store.ts'
import { assign, book, forget } from './movements.ts'

const bench = storeBench()
const NETWORK = 'eip155:8453'

const movements = (from: number, to: number, proven: boolean) => `
set session_replication_role = replica;
insert into wallet_movements (network, tx_hash, log_index, block_number, incoming, counterparty, amount, transfer_id, booked, proven, seen_at)
select '${NETWORK}', '0x' || n, 0, n, true, '0x', 5, 'tr_' || n, true, ${proven}, 'epoch' from generate_series(${from}, ${to}) n`

/** Analysed while everything was proven; then payments come faster than they are proven. */
beforeAll(async () => {
  await bench.sql.query('alter table wallet_movements set (autovacuum_enabled = off)')
  await bench.sql.query(movements(1, 20_000, true))
  await bench.sql.query('vacuum analyze wallet_movements')
  await bench.sql.query(movements(20_001, 25_000, false))
  await bench.sql.query('set plan_cache_mode = force_generic_plan')
})

test.each([
  ['booked', book, [NETWORK, '0xnew', 0, 30_000, true, '0x', 5, 'tr_24000', '2026-01-01']],
  ['assigned', assign, [NETWORK, '0x24000', 0, 'tr_24000', true]],
  ['forgotten', forget, ['tr_24000']],
])('a movement is %s without a look at the others that are not proven yet', async (_, text, values) => {
  const plan = await explain(bench.sql, { text, values })
  expect(rowsLookedAt(plan, 'wallet_movements')).toBeLessThanOrEqual(5)
})
