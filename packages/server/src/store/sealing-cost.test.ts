import { expect, test } from 'vitest'
import { explain, rowsLookedAt } from '../../tests/support/explain.ts'
import { storeBench } from '../../tests/support/store.ts'
import { append } from './sealing.ts'

const bench = storeBench()

/** PostgreSQL plans a prepared statement this often before it compares those plans with one that fits all values. */
const PLANNED_AT_FIRST = 5

/** Ids sort by time: the receipts of one period lie side by side in the index. */
const receipts = (period: string): string => `
insert into receipts (id, task_id, agent_id, submission_id, type, payload_hash, revision, completed_at, signature,
  signed_timestamp, signed_nonce, body_hash, public_key_hex)
select 'rcpt_${period}' || lpad(n::text, 6, '0'), 'task_${period}' || n, 'ag_1', 'sub_${period}' || n, 'json', repeat('ab', 32), 0, 'epoch',
  'signature', 0, 'nonce', repeat('cd', 32), repeat('ef', 32)
from generate_series(1, 20000) n`

const pend = (receipt: string): string => `
insert into ledger_pending (id, type, agent_id, public_key, profile_hash, receipt_id)
values ('led_' || '${receipt}', 'receipt', 'ag_1', repeat('ef', 32), sha256('profile'), '${receipt}')`

const hash = `{"\\\\x${'ab'.repeat(32)}"}`
const genesis = `{"\\\\x${'00'.repeat(32)}"}`

test('an entry is sealed without a walk through the receipts, whatever was pending when that table was analysed', async () => {
  const { sql } = bench
  await sql.query('set session_replication_role = replica')
  for (const table of ['receipts', 'ledger_pending'])
    await sql.query(`alter table ${table} set (autovacuum_enabled = off)`)
  await sql.query(receipts('b'))
  for (const nr of [1, 2, 3]) await sql.query(pend(`rcpt_a00000${nr}`))
  await sql.query('analyze receipts, ledger_pending')
  await sql.query(`delete from ledger_pending; ${receipts('a')}; ${pend('rcpt_a020000')}`)
  const values = ['{led_rcpt_a020000}', '{rcpt_a020000}', '{1}', genesis, hash, '{epoch}']
  for (const mode of ['force_custom_plan', 'force_generic_plan']) {
    await sql.query(`set plan_cache_mode = ${mode}`)
    expect(rowsLookedAt(await explain(sql, { text: append, values }), 'receipts'), mode).toBe(1)
  }
})

test('how an entry is sealed is planned once, not for each number of entries', async () => {
  const { sql } = bench
  await sql.query('set session_replication_role = replica; set plan_cache_mode = auto')
  await sql.query(`delete from ledger_pending; ${receipts('c')}`)
  for (let nr = 1; nr <= 50; nr++) await sql.query(pend(`rcpt_c${String(nr).padStart(6, '0')}`))
  await sql.query('analyze receipts, ledger_pending')
  await sql.query(`prepare sealed as ${append}`)
  const one = `'{led_rcpt_c000001}', '{rcpt_c000001}', '{1}', '${genesis}', '${hash}', '{epoch}'`
  for (let times = 0; times < 20; times++) await sql.query(`explain execute sealed (${one})`)
  const { rows } = await sql.query(`select custom_plans from pg_prepared_statements where name = 'sealed'`)
  expect(Number(rows[0].custom_plans)).toBe(PLANNED_AT_FIRST)
})
