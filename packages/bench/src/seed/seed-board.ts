import type { Pool } from 'pg'
import { inBulk } from './in-bulk.ts'

export const boardTaskId = (nr: number): string => `task_${String(nr).padStart(30, '0')}`

/** Of twenty tasks four are open, one is claimed, one awaits review, eleven are accepted, three were cancelled or expired. */
const STATUSES =
  `(array['open','open','open','open','claimed','submitted','cancelled','expired','expired'] ` +
  `|| array_fill('verified'::text, array[11]))[1 + nr * 7 % 20]`

/**
 * Workers shift by one with every cycle, so that none of them holds all of the claims. One task in four has a bounty in escrow;
 * half of the delivered work is published.
 */
const tasks = `
insert into tasks (
  id, status, creator_kind, creator_id, title, description, category, required_capabilities, expected_output,
  output_format, expires_in_days, created_at, expires_at, expired_at, cancelled_at,
  claimed_by, claimed_at, claim_expires_at, first_submitted_at, submitted_at, auto_release_at, receipts_count,
  published_at, revision_count, accepted_by, verified_at, rating_stars, rating_context, rated_at,
  bounty_amount, bounty_network, escrow_status, escrow_wallet, escrow_payer, escrow_deposit_id, escrow_deposit_tx,
  escrow_funded_at, escrow_exit_id, escrow_release_tx, escrow_released_at, payment_status, payment_tx, settled_at,
  announced, proposer_signature
)
select
  'task_' || lpad(nr::text, 30, '0'), status, 'agent', poster.id, 'Task ' || nr || ': sum up what was said',
  repeat('Read the minutes of the meeting and say in three sentences what was decided. ', 4),
  (array['research', 'code', 'content', 'data', 'automation'])[1 + nr % 5], poster.capabilities, 'Three sentences.',
  'json', 60, at, case when status = 'open' then now() + interval '60 days' end,
  case when status = 'expired' then at + interval '1 day' end, case when status = 'cancelled' then at + interval '1 day' end,
  case when taken then worker.id end, case when taken then at + interval '1 hour' end,
  case when status = 'claimed' then now() + interval '7 days' end,
  case when delivered then at + interval '2 hours' end, case when delivered then at + interval '2 hours' end,
  case when status = 'submitted' then now() + interval '7 days' end, case when delivered then 1 else 0 end,
  case when status = 'verified' and nr % 2 = 0 then at + interval '4 hours' end, 0,
  case when status = 'verified' then 'creator' end, case when status = 'verified' then at + interval '3 hours' end,
  case when status = 'verified' then 5 end, case when status = 'verified' then 'accept' end,
  case when status = 'verified' then at + interval '3 hours' end,
  case when paid then 5000000 end, case when paid then 'eip155:8453' end,
  case when paid then case status when 'verified' then 'released' else 'funded' end end,
  case when paid then '0x' || repeat('e5', 20) end, case when paid then '0x' || repeat('a1', 20) end,
  case when paid then 'tr_' || lpad(nr || 'd', 30, '0') end, case when paid then '0x' || repeat('d0', 32) end,
  case when paid then at end, case when paid and status = 'verified' then 'tr_' || lpad(nr || 'r', 30, '0') end,
  case when paid and status = 'verified' then '0x' || repeat('f0', 32) end,
  case when paid and status = 'verified' then at + interval '3 hours' end,
  case when paid then case status when 'verified' then 'settled' else 'pending' end else 'none' end,
  case when paid and status = 'verified' then '0x' || repeat('f0', 32) end,
  case when paid and status = 'verified' then at + interval '3 hours' end,
  true, rpad(poster.id, 88, 'A')
from (
  select nr, at, status, status in ('claimed', 'submitted', 'verified') as taken, status in ('submitted', 'verified') as delivered,
    nr % 4 = 0 and status not in ('cancelled', 'expired') as paid
  from generate_series(0, $1::int - 1) nr,
    lateral (select ${STATUSES} as status, now() - ($1::int - nr) * interval '1 minute' as at) drawn
) task
join numbered_agents poster on poster.place = nr % $2::int
join numbered_agents worker on worker.place = (nr + 1 + nr / $2::int) % $2::int`

const numberedAgents = `
create temporary table numbered_agents on commit drop as
select id, capabilities, row_number() over (order by id) - 1 as place from agents where not house`

const capabilities = `
insert into task_capabilities (task_id, capability, status, category, bounty_amount, created_at)
select id, capability, case status when 'submitted' then 'claimed' else status end, category, bounty_amount, created_at
from tasks, unnest(required_capabilities) as capability`

const submissions = `
insert into submissions (id, task_id, agent_id, type, summary, content, salt, created_at)
select 'sub_' || substr(id, 6), id, claimed_by, 'json', 'The three sentences.', repeat('It was decided to go on. ', 20), repeat('5a', 32), submitted_at
from tasks where receipts_count > 0`

const receipts = `
insert into receipts (
  id, task_id, agent_id, submission_id, type, payload_hash, revision, completed_at, signature, signed_timestamp,
  signed_nonce, body_hash, public_key_hex, chain_sequence, chain_entry_hash
)
select 'rcpt_' || substr(id, 6), id, claimed_by, 'sub_' || substr(id, 6), 'json', repeat('ab', 32), 0, submitted_at, rpad('', 86, 'A') || '==',
  extract(epoch from submitted_at)::bigint, 'bench-nonce', repeat('cd', 32), repeat('ef', 32),
  1000000 + row_number() over (order by id), sha256(id::bytea)
from tasks where receipts_count > 0`

/** Final transfers: no job has anything left to do for them. */
const transfers = (purpose: 'deposit' | 'release', id: string): string => `
insert into transfers (
  id, purpose, network, asset, payer, payee, amount, valid_after, valid_before, nonce, signature, task_id, deposit_id,
  state, from_block, tx_hash, block_number, is_final, attempts, fence, created_at, settled_at
)
select ${id}, '${purpose}', bounty_network, '0x' || repeat('c0', 20), escrow_payer, escrow_wallet, bounty_amount, 0, 4000000000,
  '0x' || encode(sha256((${id})::bytea), 'hex'), '0x' || repeat('1b', 65), id,
  ${purpose === 'release' ? 'escrow_deposit_id' : 'null'},
  'settled', 1, '0x' || repeat('d0', 32), 2, true, 1, 1, created_at, created_at
from tasks where ${id} is not null`

const TABLES = ['tasks', 'task_capabilities', 'submissions', 'receipts', 'transfers']

/**
 * A board with a history, written as the service would have left it: ids sort by time, before those that are still to come. The
 * agents must be there.
 */
export async function seedBoard(database: Pool, count: number): Promise<void> {
  await inBulk(database, TABLES, async (client) => {
    const agents = await client.query(numberedAgents)
    await client.query(tasks, [count, agents.rowCount])
    await client.query(capabilities)
    await client.query(submissions)
    await client.query(receipts)
    await client.query(transfers('deposit', 'escrow_deposit_id'))
    await client.query(transfers('release', 'escrow_exit_id'))
  })
  await database.query('vacuum analyze')
}
