import { expect, test } from 'vitest'
import { NOW, sampleEscrow, sampleTask } from '../../tests/support/samples.ts'
import { addAgent, storeBench } from '../../tests/support/store.ts'
import type { Task } from '../domain/task/task.ts'
import { changing, updateOf } from './save-task.ts'
import { taskTable } from './task-table.ts'

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

/** A stored task, and the same with all changed that may change. */
async function changedTask() {
  const agent = await bench.store.transaction((tx) => addAgent(tx))
  const fixed = { proposerSignature: 'p', bounty: { amount: 5n, network: 'eip155:137' } }
  const before = sampleTask({ ...fixed, requiredCapabilities: ['x'] })
  await insert(before)
  const { id, creator, title, description, category, requiredCapabilities, createdAt } = before
  const { expectedOutput, outputFormat, expiresInDays } = before
  const origin = { id, creator, title, description, category, requiredCapabilities, createdAt }
  return { ...fullTask(agent.id), ...origin, ...fixed, expectedOutput, outputFormat, expiresInDays }
}

test('saving writes all that may change, and nothing else', async () => {
  const after = await changedTask()
  await save(after)
  expect(await bench.store.task(after.id)).toEqual(after)
  await expect(save(sampleTask())).rejects.toThrow('There is no task')
})

test('saving several at once writes the same', async () => {
  const tasks = [await changedTask(), { ...(await changedTask()), reviewNote: '"{a,b}" \\ null', settleError: null }]
  const { many, pack } = updateOf(changing)
  const rows = tasks.map((task) => [task.id, ...changing.map((column) => taskTable.write[column](task))])
  await bench.sql.query(many, [...pack(rows)])
  for (const task of tasks) expect(await bench.store.task(task.id)).toEqual(task)
})

test('a wallet that posts is kept in lower case', async () => {
  const task = sampleTask({ creator: { kind: 'wallet', id: '0x00000000000000000000000000000000000000AB' } })
  await insert(task)
  expect((await bench.store.task(task.id))?.creator.id).toBe('0x00000000000000000000000000000000000000ab')
})

test('a state that cannot be is refused by the table itself', async () => {
  const refused = (changes: Parameters<typeof sampleTask>[0]) => expect(insert(sampleTask(changes))).rejects
  await refused({ claimedBy: 'ag_nobody' }).toThrow('foreign key')
  await refused({ status: 'claimed' }).toThrow('cannot be so: claimed without a claimer')
  await refused({ escrow: sampleEscrow() }).toThrow('cannot be so: escrow without a bounty')
  await refused({ bounty: { amount: -1n, network: 'eip155:137' } }).toThrow('cannot be so: bounty_amount')
  await refused({ paymentStatus: 'lost' as 'none' }).toThrow('cannot be so: payment_status')
})

test.each([
  ["status = 'lost'", 'status'],
  ["creator_kind = 'ghost'", 'creator_kind'],
  ["output_format = 'xml'", 'output_format'],
  ['expires_in_days = 0', 'expires_in_days'],
  ['receipts_count = -1', 'receipts_count'],
  ["review_state = 'odd'", 'review_state'],
  ['revision_count = -1', 'revision_count'],
  ["accepted_by = 'nobody'", 'accepted_by'],
  ['rating_stars = 6', 'rating_stars'],
  ["rating_context = 'none'", 'rating_context'],
  ["escrow_status = 'odd'", 'escrow_status'],
  ["creator_kind = 'wallet', creator_id = '0xAB'", 'a wallet that is not in lower case'],
  ['rated_at = now()', 'half a rating'],
  ["bounty_network = 'eip155:137'", 'half a bounty'],
  ["escrow_wallet = '0xab'", 'half an escrow'],
])('a task with %s is refused for its %s', async (change, wrong) => {
  const task = sampleTask()
  await insert(task)
  const update = bench.sql.query(`update tasks set ${change} where id = $1`, [task.id])
  await expect(update).rejects.toThrow(`task ${task.id} cannot be so: ${wrong}`)
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
