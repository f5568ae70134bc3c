import { expect, test } from 'vitest'
import { blocksOf, explain } from '../../tests/support/explain.ts'
import { storeBench } from '../../tests/support/store.ts'
import { leastHeld } from './custody-position.ts'

const bench = storeBench()

/** Years of bonds that came in and left again; little is open. */
const load = `
insert into transfers (id, purpose, network, asset, payer, payee, amount, valid_after, valid_before, nonce, signature,
  state, from_block, tx_hash, block_number, is_final, attempts, fence, created_at)
select purpose || n, purpose, 'eip155:8453', '0xaa', '0xbb', '0xcc', 5, 0, n, '0x' || purpose || n, '0x',
  state, n, '0x', n, state = 'settled', 1, 1, 'epoch'
from generate_series(1, 20000) n, unnest(array['bond', 'withdrawal']) purpose,
  lateral (select case when n > 19980 then 'intended' else 'settled' end as state) s;

insert into wallet_movements (network, tx_hash, log_index, block_number, incoming, counterparty, amount, booked, proven, seen_at)
select 'eip155:8453', '0x' || n, 0, n, n % 2 = 0, '0x', 5, true, n <= 19980, 'epoch' from generate_series(1, 20000) n;
`

/** What is open, and the pages of two small indexes. */
const BLOCKS = 40

test('what the wallet must hold is read from what is open, with statistics and without', async () => {
  await bench.sql.query('alter table transfers set (autovacuum_enabled = off)')
  await bench.sql.query('alter table wallet_movements set (autovacuum_enabled = off)')
  await bench.sql.query(load)
  for (const prepare of ['select', 'analyze transfers, wallet_movements']) {
    await bench.sql.query(prepare)
    for (const mode of ['force_custom_plan', 'force_generic_plan']) {
      await bench.sql.query(`set plan_cache_mode = ${mode}`)
      const values = ['eip155:8453', 15_000, 'withdrawal19999']
      expect(blocksOf(await explain(bench.sql, { text: leastHeld, values })), `${prepare}, ${mode}`).toBeLessThan(
        BLOCKS,
      )
    }
  }
})
