import { expect, test } from 'vitest'
import { storeBench } from '../../tests/support/store.ts'
import { append } from './sealing.ts'
import { sessionSettings } from './session-settings.ts'

const bench = storeBench()

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

type Plan = {
  readonly 'Shared Hit Blocks': number
  readonly 'Shared Read Blocks': number
  readonly Plans?: readonly Plan[]
}

/** The whole is not the sum: parts that write are not counted with it. */
const costliest = (plan: Plan): number =>
  Math.max(plan['Shared Hit Blocks'] + plan['Shared Read Blocks'], ...(plan.Plans ?? []).map(costliest))

/** A few pages for each of the tables that an entry is written to. */
const BLOCKS = 100

test('an entry is sealed without a walk through the receipts, whatever was pending when that table was analysed', async () => {
  const { sql } = bench
  await sql.query(`set session_replication_role = replica; set random_page_cost = ${sessionSettings.random_page_cost}`)
  for (const table of ['receipts', 'ledger_pending'])
    await sql.query(`alter table ${table} set (autovacuum_enabled = off)`)
  await sql.query(receipts('b'))
  for (const nr of [1, 2, 3]) await sql.query(pend(`rcpt_a00000${nr}`))
  await sql.query('analyze receipts, ledger_pending')
  await sql.query(`delete from ledger_pending; ${receipts('a')}; ${pend('rcpt_a020000')}`)
  for (const mode of ['force_custom_plan', 'force_generic_plan']) {
    await sql.query(`begin; set local plan_cache_mode = ${mode}`)
    const values = [['led_rcpt_a020000'], ['rcpt_a020000'], [1], [Buffer.alloc(32)], [Buffer.alloc(32, 1)], ['epoch']]
    const { rows } = await sql.query(`explain (analyze, buffers, format json) ${append}`, values)
    const { rowCount } = await sql.query('select from receipts where chain_sequence = 1')
    expect(rowCount, mode).toBe(1)
    expect(costliest(rows[0]['QUERY PLAN'][0].Plan), mode).toBeLessThan(BLOCKS)
    await sql.query('rollback')
  }
})
