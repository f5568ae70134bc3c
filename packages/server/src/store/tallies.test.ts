import { TASK_STATUSES } from '@guildhall/protocol'
import { expect, test } from 'vitest'
import { NOW, sampleId, sampleTask } from '../../tests/support/samples.ts'
import { addAgent, storeBench } from '../../tests/support/store.ts'
import type { Posting } from '../domain/journal/posting.ts'
import type { Task } from '../domain/task/task.ts'

const bench = storeBench()

const counted = async () => {
  const tasks = await bench.sql.query<{ status: string; n: number }>(
    'select status, count(*)::int n from tasks group by 1',
  )
  const paid = await bench.sql.query<{ n: number; sum: string | null }>(
    `select count(*)::int n, sum(bounty_amount)::text sum from tasks where payment_status = 'settled'`,
  )
  const byStatus = Object.fromEntries(tasks.rows.map(({ status, n }) => [status, n]))
  return {
    tasks: Object.fromEntries(TASK_STATUSES.map((status) => [status, byStatus[status] ?? 0])),
    paid: paid.rows[0]?.n ?? 0,
    paidAtomic: BigInt(paid.rows[0]?.sum ?? 0),
  }
}

test('the counts are exact, while tasks move and while changes are added up', async () => {
  const agent = await bench.store.transaction((tx) => addAgent(tx))
  await bench.store.transaction((tx) => addAgent(tx, { status: 'pending' }))
  const paid = { paymentStatus: 'settled', settledAt: NOW, paymentTx: `0x${'ab'.repeat(32)}` } as const
  const moves: readonly Partial<Task>[] = [
    { status: 'claimed', claimedBy: agent.id },
    { status: 'submitted', claimedBy: agent.id },
    { status: 'verified', claimedBy: agent.id, ...paid },
    { status: 'verified', claimedBy: agent.id, paymentStatus: 'settling' },
    { status: 'verified', claimedBy: agent.id, ...paid },
  ]
  const live = async (length: number, store: typeof bench.store) => {
    let task = sampleTask({ bounty: { amount: 1_500_000n, network: 'eip155:8453' }, paymentStatus: 'pending' })
    await store.transaction((tx) => tx.insertTask(task))
    for (const move of moves.slice(0, length)) {
      task = { ...task, ...move }
      await store.transaction((tx) => tx.saveTask(task))
      if (length % 3 === 0) await store.transaction((tx) => tx.foldTallies())
    }
  }
  await Promise.all(Array.from({ length: 30 }, (_, index) => live(index % 6, index % 2 ? bench.store : bench.other)))
  const { agents, ...rest } = await bench.store.statusCounts()
  expect(agents).toEqual({ total: 2, active: 1 })
  expect(rest).toEqual(await counted())
  expect(rest.paid).toBe(10)

  await bench.store.transaction((tx) => tx.foldTallies())
  const left = await bench.sql.query<{ n: number }>('select count(*)::int n from tally_changes')
  expect(left.rows[0]?.n).toBe(0)
  expect(await bench.store.statusCounts()).toEqual({ agents, ...rest })
})

test('changes are added up in portions, until none is left', async () => {
  const before = (await bench.store.statusCounts()).tasks.open
  const add = `insert into tally_changes (topic, item, change) select 'tasks', 'open', 1 from generate_series(1, 20001)`
  await bench.sql.query(add)
  const portion = () => bench.store.transaction((tx) => tx.foldTallies())
  expect([await portion(), await portion()]).toEqual([true, false])
  expect((await bench.sql.query('select from tally_changes')).rowCount).toBe(0)
  expect((await bench.store.statusCounts()).tasks.open).toBe(before + 20_001)
})

test('a change that is rolled back counts nowhere', async () => {
  const before = await bench.store.statusCounts()
  const failing = bench.store.transaction(async (tx) => {
    await tx.insertTask(sampleTask())
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  expect(await bench.store.statusCounts()).toEqual(before)
})

test('what the wallet holds is always what it owes', async () => {
  const movement = (debit: Posting['debit'], credit: Posting['credit'], amount: bigint): Posting => ({
    id: sampleId('jrn'),
    network: 'eip155:8453',
    debit,
    credit,
    amount,
    reason: 'deposit',
    transferId: null,
    taskId: null,
    agentId: null,
    txHash: null,
    createdAt: NOW,
  })
  const post = (posting: Posting) => bench.store.transaction((tx) => tx.post(posting))
  await post(movement('wallet', 'deposits', 10n))
  await post({ ...movement('wallet', 'deposits', 7n), network: 'eip155:137' })
  await post(movement('wallet', 'bonds', 3n))
  await bench.store.transaction((tx) => tx.foldTallies())
  await post(movement('bonds', 'house', 1n))
  await post(movement('deposits', 'wallet', 4n))
  expect(await bench.store.balances()).toEqual([
    { network: 'eip155:137', account: 'deposits', atomic: 7n },
    { network: 'eip155:137', account: 'wallet', atomic: 7n },
    { network: 'eip155:8453', account: 'bonds', atomic: 2n },
    { network: 'eip155:8453', account: 'deposits', atomic: 6n },
    { network: 'eip155:8453', account: 'house', atomic: 1n },
    { network: 'eip155:8453', account: 'wallet', atomic: 9n },
  ])
  await expect(post(movement('wallet', 'wallet', 1n))).rejects.toThrow('check constraint')
  await expect(post(movement('wallet', 'deposits', -1n))).rejects.toThrow('amount')
})

test('payouts are paused with a reason and let go again', async () => {
  expect(await bench.store.payoutsPaused()).toEqual({ paused: false, reason: null })
  await bench.store.transaction((tx) => tx.pausePayouts(true, 'a shortfall'))
  expect(await bench.other.payoutsPaused()).toEqual({ paused: true, reason: 'a shortfall' })
})
