import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { consult, judge, readTables } from '@guildhall/oracle'
import { Client } from 'pg'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { beforeAll, describe, expect, test } from 'vitest'
import { newBuyer, newWorker } from './support/cast.ts'
import { carryOut, rpc, signTransfer } from './support/chain-calls.ts'
import { setStage } from './support/stage.ts'
import { aBounty, aDelivery, claimAndDeliver, deliveredTask, postEscrowed, postFree } from './support/tasks.ts'

const MAIN = fileURLToPath(new URL('../../oracle/src/main.ts', import.meta.url))
const stage = setStage()

/** A little of everything: paid, refunded, held, declared, disputed, revised, free. */
beforeAll(async () => {
  const buyer = await newBuyer(stage)
  const worker = await newWorker(stage)
  const paid = await deliveredTask(buyer, worker, { required_capabilities: ['Anything'] })
  await buyer.client.tasks.accept(paid, { rating: 5 })
  await buyer.client.tasks.cancel(await postEscrowed(buyer))
  await postEscrowed(buyer)
  const declared = await postFree(buyer, { bounty: aBounty(2), escrow: false })
  await claimAndDeliver(worker, declared)
  await buyer.client.tasks.accept(declared)
  const revised = await deliveredTask(buyer, worker)
  await buyer.client.tasks.revision(revised, { note: 'Once more.' })
  await worker.client.tasks.deliver(revised, aDelivery)
  const lost = await deliveredTask(buyer, worker)
  await buyer.client.tasks.dispute(lost, { reason: 'Not in French.' })
  await buyer.client.tasks.cancel(lost)
  await worker.client.tasks.claim(await postFree(buyer))
  const events = await worker.client.events.list()
  await worker.client.events.markRead({ ids: events.events.slice(0, 2).map(({ id }) => id) })
  const left = await postFree(buyer, { expires_in_days: 1 })
  await stage.travel(86_400_000)
  expect((await buyer.client.tasks.get(left)).task.status).toBe('expired')
  await stage.stopNode(stage.node())
})

const circumstances = () => ({
  networks: stage.parts.chains,
  escrowWallet: stage.escrow.address,
  now: stage.now(),
})
const ask = () => consult({ databaseUrl: stage.databaseUrl, ...circumstances() })

/** What the database itself would refuse to change. */
const WRITTEN_ONCE = ['ledger_entries', 'merkle_nodes', 'checkpoints', 'postings', 'payment_events']

/** What the oracle says of the books with these changes, which are forgotten afterwards. */
async function askWith(statements: readonly string[]) {
  const client = new Client({ connectionString: stage.databaseUrl })
  await client.connect()
  try {
    await client.query('begin')
    for (const table of WRITTEN_ONCE) await client.query(`alter table ${table} disable trigger written_once`)
    for (const statement of statements) await client.query(statement)
    return await judge(await readTables(client), circumstances())
  } finally {
    await client.end()
  }
}

test('the oracle is silent about healthy books', async () => {
  expect(await ask()).toEqual([])
})

/** The oracle as a program: what it prints and how it ends. */
async function runProgram(change: Readonly<Record<string, string>> = {}): Promise<{
  readonly code: number | null
  readonly text: string
}> {
  const networks = stage.parts.chains.map(({ network, rpcUrl, usdc }) => ({ network, rpc_url: rpcUrl, usdc }))
  const env = {
    ...process.env,
    DATABASE_URL: stage.databaseUrl,
    GUILDHALL_ESCROW_WALLET: circumstances().escrowWallet,
    GUILDHALL_NETWORKS: JSON.stringify(networks),
    ...change,
  }
  const child = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const [printed, said, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { code, text: printed + said }
}

test('the program ends with 0 when the books hold', async () => {
  expect(await runProgram()).toEqual({ code: 0, text: 'The books hold.\n' })
})

test('the program does not say that books hold whose payments are on a network that it was not given', async () => {
  const text =
    'The books have payments on eip155:8453, which is not in GUILDHALL_NETWORKS: without it nothing is proven.\n'
  expect(await runProgram({ GUILDHALL_NETWORKS: '[]' })).toEqual({ code: 2, text })
})

const NETWORK = { network: 'eip155:8453', rpc_url: 'http://127.0.0.1:1', usdc: `0x${'12'.repeat(20)}` }

test.each([
  [{ GUILDHALL_ESCROW_WALLET: '0x12' }, 2, 'GUILDHALL_ESCROW_WALLET is not an address: 0x and 40 hexadecimal digits.'],
  [{ GUILDHALL_NETWORKS: 'none' }, 2, 'GUILDHALL_NETWORKS is not a JSON list.'],
  [{ GUILDHALL_NETWORKS: '{}' }, 2, 'GUILDHALL_NETWORKS is not a JSON list.'],
  [
    { GUILDHALL_NETWORKS: JSON.stringify([{ ...NETWORK, usdc: undefined }]) },
    2,
    'GUILDHALL_NETWORKS: eip155:8453 needs network, rpc_url and usdc, the address of the token.',
  ],
  [{ GUILDHALL_NETWORKS: JSON.stringify([NETWORK]) }, 1, 'Nothing could be judged: HTTP request failed.'],
  [{ DATABASE_URL: 'postgresql://127.0.0.1:1/x' }, 1, 'Nothing could be judged: connect ECONNREFUSED 127.0.0.1:1'],
])('the program says in a sentence why it cannot judge: %j', async (change, code, sentence) => {
  const ended = await runProgram(change as Readonly<Record<string, string>>)
  expect([ended.code, ended.text.split('\n')[0]]).toEqual([code, sentence])
})

const ELSEWHERE = `'0x${'ab'.repeat(32)}'`
const one = (from: string) => `(select id from ${from} order by id limit 1)`

const PLANTED: readonly (readonly [what: string, invariant: string, ...statements: string[]])[] = [
  ['an exit under another nonce', 'I1', `update transfers set nonce = ${ELSEWHERE} where purpose = 'release'`],
  [
    'a payout that nobody has on record',
    'I1',
    'alter table transfers drop constraint transfers_one_exit_per_deposit cascade',
    `update transfers set payee = '0x${'cd'.repeat(20)}' where purpose = 'refund'`,
  ],
  [
    'a deposit written off although it arrived',
    'I2',
    `update transfers set state = 'dead' where id = ${one(`transfers where purpose = 'deposit'`)}`,
  ],
  ['a bounty written off although it was paid', 'I2', `update transfers set state = 'dead' where purpose = 'bounty'`],
  [
    'a settled deposit whose task has forgotten it',
    'I2',
    `update tasks set escrow_status = 'unfunded', payment_status = 'expired' where escrow_status = 'funded'`,
  ],
  [
    'a release without its exit',
    'I2',
    `update tasks set escrow_status = 'releasing' where escrow_status = 'funded' and status = 'open'`,
  ],
  ['a posting that was lost', 'I3', `delete from postings where id = ${one(`postings where reason = 'deposit'`)}`],
  [
    'a posting that was written twice',
    'I3',
    `insert into postings select 'jrn_twice', network, debit, credit, amount, reason, transfer_id, task_id, agent_id, tx_hash, created_at from postings where id = ${one('postings')}`,
  ],
  ['a posting of another amount', 'I3', `update postings set amount = amount + 1 where id = ${one('postings')}`],
  [
    'a balance that is kept wrong',
    'I3',
    `insert into tally_changes (topic, item, change) values ('balance', 'eip155:8453 house', 1)`,
  ],
  [
    'a movement that nobody wrote down',
    'I3 movements',
    'delete from wallet_movements where booked and proven and transfer_id in (select id from transfers order by id limit 1)',
  ],
  ['a movement of another amount', 'I3 movements', 'update wallet_movements set amount = amount + 1'],
  [
    'a movement that never was',
    'I3 movements',
    `insert into wallet_movements (network, tx_hash, log_index, block_number, incoming, counterparty, amount, booked, proven, seen_at) values ('eip155:8453', ${ELSEWHERE}, 0, 1, true, '0x${'cd'.repeat(20)}', 5, false, true, 'epoch')`,
  ],
  [
    'a stray that is owed to nobody',
    'I3 movements',
    `update wallet_movements set stray_id = 'str_1', transfer_id = null where incoming and tx_hash = (select tx_hash from wallet_movements where incoming order by tx_hash limit 1)`,
  ],
  ['an entry that was changed', 'I4', `update ledger_entries set profile_hash = entry_hash where sequence = 3`],
  ['an entry that was removed', 'I4', `delete from ledger_entries where sequence = 4`],
  ['a head that lags behind', 'I4', `update ledger_head set sequence = sequence - 1`],
  ['a node of the tree', 'I4', `update merkle_nodes set hash = sha256('x') where level = 1 and index = 0`],
  ['a forged checkpoint', 'I4', `update checkpoints set root_hash = sha256('x')`],
  [
    'a receipt with another delivery',
    'I4',
    `update submissions set summary = 'better' where id = ${one('submissions')}`,
  ],
  [
    'a receipt signed by nobody',
    'I4',
    `update receipts set signed_timestamp = signed_timestamp + 1 where id = ${one('receipts')}`,
  ],
  [
    'a receipt that does not say where it is sealed',
    'I4 the ledger says',
    `update receipts set chain_sequence = null, chain_entry_hash = null where id = ${one('receipts')}`,
  ],
  ['a receipt that names another entry', 'I4', `update receipts set chain_sequence = 1 where id = ${one('receipts')}`],
  [
    'an acceptance that was never recorded',
    'I4',
    `update tasks set verified_at = verified_at + interval '1 ms' where status = 'verified'`,
  ],
  [
    'a payment that is in the ledger twice, beside a transfer that died',
    'I4 the ledger says',
    `insert into transfers select (jsonb_populate_record(t, jsonb_build_object('id', 'dead_' || id, 'nonce', '0x' || md5(id), 'purpose', 'bounty', 'state', 'dead', 'deposit_id', null))).* from transfers t where purpose in ('release', 'bounty') and state = 'settled'`,
    `insert into ledger_pending (id, type, agent_id, agent_name, public_key, profile_hash) select 'again_' || sequence, type, agent_id, agent_name, public_key, profile_hash from ledger_entries where type = 'task_payment_settled'`,
  ],
  [
    'a deposit under another hash',
    'I7',
    `update tasks set escrow_deposit_tx = ${ELSEWHERE} where escrow_status = 'funded'`,
  ],
  [
    'a settlement that the chain does not show',
    'I7',
    `update transfers set state = 'settled', tx_hash = ${ELSEWHERE}, nonce = ${ELSEWHERE} where purpose = 'bounty'`,
  ],
  [
    'a transaction of another block',
    'I7',
    `update transfers set block_number = block_number + 1 where purpose = 'release'`,
  ],
  [
    'a payee that nobody chose',
    'I7',
    `update tasks set pay_to = '0x${'cd'.repeat(20)}' where escrow_status = 'released'`,
  ],
  [
    'two tasks on one deposit',
    'I8',
    `update tasks set escrow_deposit_id = ${one(`transfers where purpose = 'deposit'`)} where escrow_status is not null`,
  ],
  [
    'one authorization on record twice',
    'I8',
    'alter table transfers drop constraint transfers_authorization_is_unique',
    `update transfers set nonce = ${ELSEWHERE} where purpose = 'deposit'`,
  ],
  ['an event that was lost', 'I10', `delete from inbox_events where position = 1`],
  ['an unread count that is wrong', 'I10', `update inboxes set unread = unread + 1`],
  [
    'a funding that was told twice',
    'I10',
    `update inbox_events set type = 'task.escrow_funded' where type = 'task.claimed'`,
  ],
  [
    'a claim that its poster was not told of',
    'I10 events',
    `update inbox_events set type = 'task.payment_due' where type = 'task.claimed'`,
  ],
  [
    'a revision that the deliverer was not told of',
    'I10 events',
    `update inbox_events set type = 'task.payment_due' where type = 'task.revision_requested'`,
  ],
  [
    'a dispute that was told twice',
    'I10 events',
    `update inbox_events set type = 'task.disputed' where type = 'task.submitted'`,
  ],
  [
    'an acceptance by the timer before its time',
    'I12',
    `update tasks set accepted_by = 'auto' where status = 'verified'`,
  ],
  ['a claim that runs too long', 'I12', `update tasks set claim_expires_at = claim_expires_at + interval '1 ms'`],
  [
    'a task that expired too early',
    'I12',
    `update tasks set expired_at = expires_at - interval '1 ms' where status = 'expired'`,
  ],
  [
    'a claim that nobody revoked',
    'I12',
    `update tasks set claimed_at = claimed_at - interval '8 days', claim_expires_at = claim_expires_at - interval '8 days' where status = 'claimed'`,
  ],
  [
    'a bond that nobody paid',
    'I13',
    `update agents set bond_balance = 1000000, bond_network = 'eip155:8453' where id = ${one('agents')}`,
  ],
  ['a free task with a payment', 'states', `update tasks set payment_status = 'pending' where bounty_amount is null`],
  [
    'an open task that is paid',
    'states',
    `update tasks set status = 'open', claimed_by = null, claimed_at = null where status = 'verified' and escrow_status = 'released'`,
  ],
  ['a verified task without its time', 'states', `update tasks set verified_at = null where status = 'verified'`],
  ['a capability row that lags behind', 'states', `update task_capabilities set status = 'open'`],
  [
    'a capability row of no task',
    'states',
    `insert into task_capabilities (task_id, capability, status, created_at) values ('task_none', 'any', 'open', now())`,
  ],
  [
    'a record that is too good',
    'counts',
    `update agents set accepted = accepted + 1 where id = ${one('agents where accepted > 0')}`,
  ],
  [
    'a dispute that counts for nobody',
    'counts',
    `update agents set disputed = 0 where id = ${one('agents where disputed > 0')}`,
  ],
  ['a tally of agents', 'counts', `insert into tally_changes (topic, item, change) values ('agents', 'suspended', 1)`],
  ['a count of receipts', 'counts', `update tasks set receipts_count = receipts_count + 1 where receipts_count > 0`],
  ['a tally of tasks', 'counts', `insert into tally_changes (topic, item, change) values ('tasks', 'open', 1)`],
]

describe('the oracle names what was planted:', () => {
  test.each(PLANTED)('%s (%s)', async (_what, invariant, ...statements) => {
    const said = await askWith(statements)
    expect(said.filter((violation) => violation.invariant.startsWith(invariant))).not.toEqual([])
  })

  test('money that left escrow behind the service’s back (I1, I3)', async () => {
    const chain = stage.chain()
    const escrow = stage.escrow
    const snapshot = await rpc(chain, 'evm_snapshot')
    const theft = {
      from: escrow.address,
      to: privateKeyToAccount(generatePrivateKey()).address,
      value: 1n,
      validAfter: 0n,
      validBefore: 2n ** 40n,
      nonce: generatePrivateKey(),
    }
    await carryOut(chain, theft, await signTransfer(chain, escrow, theft))
    const [said, program] = [await ask(), await runProgram()]
    await rpc(chain, 'evm_revert', snapshot)
    expect(said.map(({ invariant }) => invariant.slice(0, 2))).toEqual(['I1', 'I3'])
    expect(program.code).toBe(6)
    expect(program.text).toContain('I3 custody balances: eip155:8453')
  })

  test('a stray transfer to escrow is explained, not accused', async () => {
    const chain = stage.chain()
    const snapshot = await rpc(chain, 'evm_snapshot')
    await chain.mint(stage.escrow.address, 7n)
    const said = await ask()
    await rpc(chain, 'evm_revert', snapshot)
    expect(said).toEqual([])
  })
})
