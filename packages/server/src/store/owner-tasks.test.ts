import { expect, test } from 'vitest'
import { sampleEscrow, sampleTask } from '../../tests/support/samples.ts'
import { addAgent, storeBench } from '../../tests/support/store.ts'
import type { Task } from '../domain/task/task.ts'

const bench = storeBench()
const creator = { kind: 'owner', id: 'own_1' } as const
const bounty = { amount: 1_000_000n, network: 'eip155:8453' }

const insert = (...tasks: readonly Task[]) =>
  bench.store.transaction(async (tx) => {
    for (const task of tasks) await tx.insertTask(task)
  })

const waiting = async (limit: number) => (await bench.store.tasksWaitingForOwner(creator.id, limit)).map(({ id }) => id)

test('what waits for a person is found, oldest first, however much that does not wait is newer', async () => {
  const { id: claimedBy } = await bench.store.transaction((tx) => addAgent(tx))
  const by = (changes: Partial<Task>) => sampleTask({ creator, claimedBy, ...changes })
  const delivered = by({ status: 'submitted' })
  const due = by({ status: 'verified', bounty, paymentStatus: 'pending' })
  const dueAgain = by({ status: 'verified', bounty, paymentStatus: 'expired' })
  const unfunded = by({ claimedBy: null, bounty, escrow: sampleEscrow({ status: 'unfunded' }) })
  const lostWhileClaimed = by({ status: 'claimed', bounty, escrow: sampleEscrow({ status: 'unfunded' }) })
  const others = [
    by({ claimedBy: null }),
    by({ status: 'claimed', bounty, escrow: sampleEscrow({ status: 'funding' }) }),
    by({ claimedBy: null, status: 'cancelled', bounty, escrow: sampleEscrow({ status: 'unfunded' }) }),
    by({ claimedBy: null, bounty, escrow: sampleEscrow({ status: 'funding' }) }),
    by({ status: 'claimed' }),
    by({ status: 'verified' }),
    by({ status: 'verified', bounty, paymentStatus: 'settling' }),
    by({ status: 'verified', bounty, paymentStatus: 'settled', escrow: sampleEscrow({ status: 'released' }) }),
    sampleTask({ creator: { kind: 'owner', id: 'own_2' }, status: 'submitted', claimedBy }),
    sampleTask({ creator: { kind: 'agent', id: creator.id }, status: 'submitted', claimedBy }),
  ]
  await insert(delivered, due, dueAgain, unfunded, lostWhileClaimed, ...others)
  expect(await waiting(20)).toEqual([delivered.id, due.id, dueAgain.id, unfunded.id, lostWhileClaimed.id])
  expect(await waiting(1)).toEqual([delivered.id])
})
