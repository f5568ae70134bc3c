import { expect, test } from 'vitest'
import { NOW, sampleEscrow, sampleTask } from '../../tests/support/samples.ts'
import { addAgent, storeBench } from '../../tests/support/store.ts'
import type { Task } from '../domain/task/task.ts'

const bench = storeBench()

const insert = (...tasks: readonly Task[]) =>
  bench.store.transaction(async (tx) => {
    for (const task of tasks) await tx.insertTask(task)
  })

test('timers fire at their time, not before, in the order in which they fall due', async () => {
  const agent = await bench.store.transaction((tx) => addAgent(tx))
  const claimed = (claimExpiresAt: number) => sampleTask({ status: 'claimed', claimedBy: agent.id, claimExpiresAt })
  const [late, early] = [claimed(NOW), claimed(NOW - 1)]
  await insert(late, early, claimed(NOW + 1))
  expect(await bench.store.dueTimers('claim lapses', NOW, 10)).toEqual([early.id, late.id])
  expect(await bench.store.dueTimers('claim lapses', NOW, 1)).toEqual([early.id])

  const delivered = sampleTask({ status: 'submitted', claimedBy: agent.id, autoReleaseAt: NOW, claimExpiresAt: NOW })
  await insert(delivered, sampleTask({ status: 'submitted', claimedBy: agent.id, autoReleaseAt: null }))
  expect(await bench.store.dueTimers('unreviewed', NOW, 10)).toEqual([delivered.id])

  const open = sampleTask({ expiresAt: NOW })
  await insert(open, sampleTask({ expiresAt: null }), sampleTask({ status: 'cancelled', expiresAt: NOW }))
  expect(await bench.store.dueTimers('expires', NOW, 10)).toEqual([open.id])
})

test('a held timer looks again when the hold ends', async () => {
  await bench.sql.query('delete from tasks')
  const held = sampleTask({ expiresAt: NOW, timerHeldUntil: NOW + 5 })
  await insert(held, sampleTask({ expiresAt: null, timerHeldUntil: NOW }))
  expect(await bench.store.dueTimers('expires', NOW + 4, 10)).toEqual([])
  expect(await bench.store.dueTimers('expires', NOW + 5, 10)).toEqual([held.id])
})

test('unannounced are tasks that became claimable and of which not all were told, oldest first, unless they have ended', async () => {
  await bench.sql.query('delete from tasks')
  const bounty = { amount: 1n, network: 'eip155:8453' }
  const second = sampleTask({ bounty, escrow: sampleEscrow({ status: 'funded' }), createdAt: NOW + 1 })
  const first = sampleTask()
  const agent = await bench.store.transaction((tx) => addAgent(tx))
  const claimed = sampleTask({ status: 'claimed', claimedBy: agent.id, createdAt: NOW + 2 })
  await insert(
    claimed,
    second,
    first,
    sampleTask({ bounty, escrow: sampleEscrow({ status: 'funding' }) }),
    sampleTask({ announced: true }),
    sampleTask({ status: 'cancelled' }),
    sampleTask({ status: 'expired' }),
  )
  expect(await bench.store.unannouncedTasks(10)).toEqual([first.id, second.id, claimed.id])
})
