import { expect, test } from 'vitest'
import { NOW, sampleEscrow, sampleTask } from '../../tests/support/samples.ts'
import { addAgent, storeBench } from '../../tests/support/store.ts'
import type { Task } from '../domain/task/task.ts'

const bench = storeBench()

const insert = (task: Task) => bench.store.transaction((tx) => tx.insertTask(task))
const save = (task: Task) =>
  bench.store.transaction(async (tx) => {
    await tx.lockTask(task.id)
    await tx.saveTask(task)
  })

/** Every field set, each to a value of its own, so that two columns mixed up cannot go unnoticed. */
function fullTask(agentId: string): Task {
  let passed = 0
  const later = () => NOW + ++passed
  return {
    ...sampleTask({ requiredCapabilities: ['Python', 'Größe', 'a,b{"}'] }),
    status: 'verified',
    creator: { kind: 'owner', id: 'own_1' },
    category: 'data',
    expectedOutput: 'a table',
    outputFormat: 'link',
    expiresInDays: null,
    expiresAt: later(),
    expiredAt: later(),
    cancelledAt: later(),
    claimedBy: agentId,
    claimedAt: later(),
    claimExpiresAt: later(),
    firstSubmittedAt: later(),
    submittedAt: later(),
    autoReleaseAt: later(),
    receiptsCount: 3,
    publishedAt: later(),
    reviewState: 'disputed',
    reviewNote: 'hm',
    revisionCount: 2,
    revisionRequestedAt: later(),
    disputedAt: later(),
    acceptedBy: 'auto',
    verifiedAt: later(),
    rating: { stars: 4, comment: 'good', context: 'accept', at: later() },
    bounty: { amount: 2n ** 62n, network: 'eip155:137' },
    escrow: sampleEscrow({
      status: 'released',
      depositTx: '0xd',
      fundedAt: later(),
      exitId: 'tr_exit',
      releaseTx: '0xe',
      releasedAt: later(),
      refundTx: '0xf',
      refundedAt: later(),
    }),
    paymentStatus: 'settled',
    payTo: '0x0000000000000000000000000000000000000b0b',
    paymentId: 'tr_payment',
    paymentTx: '0x7',
    settledAt: later(),
    settleError: 'was slow',
    announced: true,
    proposerSignature: 'p',
    acceptorSignature: 'a',
    timerHeldUntil: later(),
  }
}

test('a task is read back as it was written', async () => {
  const plain = sampleTask()
  const agent = await bench.store.transaction((tx) => addAgent(tx))
  const full = fullTask(agent.id)
  await insert(plain)
  await insert(full)
  expect(await bench.store.task(plain.id)).toEqual(plain)
  expect(await bench.store.task(full.id)).toEqual(full)
  expect(await bench.store.task('task_nowhere')).toBeNull()
})

test('saving writes all that may change, and nothing else', async () => {
  const agent = await bench.store.transaction((tx) => addAgent(tx))
  const fixed = { proposerSignature: 'p', bounty: { amount: 5n, network: 'eip155:137' } }
  const before = sampleTask({ ...fixed, requiredCapabilities: ['x'] })
  await insert(before)
  const { id, creator, title, description, category, requiredCapabilities, createdAt } = before
  const { expectedOutput, outputFormat, expiresInDays } = before
  const origin = { id, creator, title, description, category, requiredCapabilities, createdAt }
  const after = { ...fullTask(agent.id), ...origin, ...fixed, expectedOutput, outputFormat, expiresInDays }
  await save(after)
  expect(await bench.store.task(id)).toEqual(after)
  await expect(save(sampleTask())).rejects.toThrow('There is no task')
})

test('a wallet that posts is kept in lower case', async () => {
  const task = sampleTask({ creator: { kind: 'wallet', id: '0x00000000000000000000000000000000000000AB' } })
  await insert(task)
  expect((await bench.store.task(task.id))?.creator.id).toBe('0x00000000000000000000000000000000000000ab')
})

test('a state that cannot be is refused by the table itself', async () => {
  await expect(insert(sampleTask({ status: 'claimed' }))).rejects.toThrow('tasks_claimed_have_a_claimer')
  await expect(insert(sampleTask({ claimedBy: 'ag_nobody' }))).rejects.toThrow('foreign key')
  await expect(insert(sampleTask({ escrow: sampleEscrow() }))).rejects.toThrow('tasks_escrow_has_a_bounty')
  await expect(insert(sampleTask({ bounty: { amount: -1n, network: 'eip155:137' } }))).rejects.toThrow('bounty_amount')
  await expect(insert(sampleTask({ paymentStatus: 'lost' as 'none' }))).rejects.toThrow('payment_status')
})

test('of many agents that claim one task at once over two nodes, one does', async () => {
  const task = sampleTask()
  const agents = await bench.store.transaction(async (tx) => {
    await tx.insertTask(task)
    return Promise.all(Array.from({ length: 20 }, () => addAgent(tx)))
  })
  const claims = agents.map((agent, index) =>
    (index % 2 ? bench.store : bench.other).transaction(async (tx) => {
      const found = await tx.lockTask(task.id)
      if (found?.status !== 'open') return false
      await tx.saveTask({ ...found, status: 'claimed', claimedBy: agent.id })
      return true
    }),
  )
  expect((await Promise.all(claims)).filter(Boolean)).toHaveLength(1)
})

test('claims count while they are held, not after delivery', async () => {
  const agent = await bench.store.transaction((tx) => addAgent(tx))
  const held = sampleTask({ status: 'claimed', claimedBy: agent.id })
  await insert(held)
  await insert(sampleTask({ status: 'submitted', claimedBy: agent.id }))
  expect(await bench.store.activeClaims(agent.id)).toBe(1)
  await save({ ...held, status: 'submitted' })
  expect(await bench.store.activeClaims(agent.id)).toBe(0)
})
