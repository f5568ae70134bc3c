import { DAY } from '@guildhall/protocol'
import { beforeAll, expect, test } from 'vitest'
import { NOW, sampleEscrow, sampleTask } from '../../tests/support/samples.ts'
import { addAgent, storeBench } from '../../tests/support/store.ts'
import type { Agent } from '../domain/agent/agent.ts'
import type { Task } from '../domain/task/task.ts'
import type { Hex } from '../domain/transfer/transfer.ts'

const bench = storeBench()
const hash = (nr: number): Hex => `0x${nr.toString(16).padStart(64, '0')}`
let poster: Agent
let house: Agent
let worker: Agent

const paidTask = (nr: number, changes: Partial<Task> = {}): Task =>
  sampleTask({
    id: `task_${String(nr).padStart(20, '0')}`,
    status: 'verified',
    creator: { kind: 'agent', id: poster.id },
    claimedBy: worker.id,
    bounty: { amount: 2_500_000n, network: 'eip155:8453' },
    paymentStatus: 'settled',
    paymentTx: hash(nr),
    createdAt: NOW,
    claimedAt: NOW + 10_000,
    firstSubmittedAt: NOW + 30_000,
    submittedAt: NOW + 40_000,
    verifiedAt: NOW + 60_000,
    settledAt: NOW + 61_500,
    ...changes,
  })

const add = (task: Task) => bench.store.transaction((tx) => tx.insertTask(task))

beforeAll(async () => {
  await bench.store.transaction(async (tx) => {
    poster = await addAgent(tx)
    house = await addAgent(tx, { house: true })
    worker = await addAgent(tx)
  })
  await add(paidTask(1))
  await add(paidTask(2))
  await add(paidTask(3, { settledAt: NOW + 61_499 }))
  await add(paidTask(4, { creator: { kind: 'agent', id: house.id }, settledAt: NOW + DAY }))
  const escrow = sampleEscrow({ status: 'released', releaseTx: hash(55) })
  await add(paidTask(5, { creator: { kind: 'wallet', id: escrow.payer }, escrow, settledAt: NOW + 2 * DAY }))
})

const idsOf = async (...asked: Parameters<typeof bench.store.settledTasks>) =>
  (await bench.store.settledTasks(...asked)).map(({ id }) => Number(id.slice(5)))

test('settled tasks come newest first, by time and then by id', async () => {
  expect(await idsOf(null, 50)).toEqual([5, 4, 2, 1, 3])
})

test('a page goes on behind the last row of the one before', async () => {
  const after = { settledAt: NOW + 61_500, taskId: paidTask(2).id }
  expect(await idsOf(after, 1)).toEqual([1])
  expect(await idsOf({ ...after, taskId: paidTask(1).id }, 50)).toEqual([3])
})

test('a bare timestamp returns strictly older rows', async () => {
  expect(await idsOf({ settledAt: NOW + 61_500, taskId: null }, 50)).toEqual([3])
  expect(await idsOf({ settledAt: NOW + 61_501, taskId: null }, 50)).toEqual([2, 1, 3])
})

test('a row shows who delivered and the transaction that paid, and whether the house had posted it', async () => {
  const [released, sponsored, plain] = await bench.store.settledTasks(null, 3)
  expect(released).toMatchObject({ txHash: hash(55), sponsored: false })
  expect(sponsored).toMatchObject({ txHash: hash(4), sponsored: true })
  expect(plain?.deliverer).toEqual({ id: worker.id, name: worker.profile.name })
  expect(JSON.stringify(released, (_, value) => String(value))).not.toContain(sampleEscrow().payer)
})

test.each<[string, Partial<Task>]>([
  ['a malformed hash', { paymentTx: '0x1234' }],
  ['no hash', { paymentTx: null }],
  ['a refunded escrow', { escrow: sampleEscrow({ status: 'refunded', refundTx: hash(1) }) }],
  ['a testnet bounty', { bounty: { amount: 1n, network: 'eip155:84532' } }],
  ['a payment under way', { paymentStatus: 'settling' }],
])('%s is neither in the feed nor in the totals', async (_what, changes) => {
  const before = await bench.store.statusCounts()
  await add(sampleTask({ ...paidTask(90), id: sampleTask().id, settledAt: NOW + 9 * DAY, ...changes }))
  expect(await idsOf(null, 50)).toEqual([5, 4, 2, 1, 3])
  const after = await bench.store.statusCounts()
  expect([after.paid, after.paidAtomic]).toEqual([before.paid, before.paidAtomic])
  expect([...(await bench.store.stageSamples(NOW + 9 * DAY, null))]).toEqual([])
})

test('the stages of paid tasks are sampled by day, each for itself, from one moment to before another', async () => {
  const withoutClaim = paidTask(6, { settledAt: NOW + 3 * DAY, claimedAt: null })
  await add(withoutClaim)
  const byDay = await bench.store.stageSamples(NOW + 61_500, NOW + 3 * DAY + 1)
  const today = Math.floor(NOW / DAY)
  expect([...byDay.keys()].sort()).toEqual([today, today + 1, today + 2, today + 3])
  expect(byDay.get(today)).toEqual({
    tasks: 2,
    paid: Float64Array.of(61_500, 61_500),
    claim: Float64Array.of(10_000, 10_000),
    delivery: Float64Array.of(20_000, 20_000),
    review: Float64Array.of(30_000, 30_000),
  })
  expect(byDay.get(today + 3)).toMatchObject({ tasks: 1, claim: new Float64Array(), review: Float64Array.of(30_000) })
  expect((await bench.store.stageSamples(NOW, NOW + 61_500)).get(today)?.tasks).toBe(1)
})

test('a page reads the index in its order, at every depth', async () => {
  const plan = await bench.sql.query<{ 'QUERY PLAN': string }>(`
    set enable_seqscan = off; explain select id from tasks t
    where payment_status = 'settled' and settled_at is not null and escrow_status is distinct from 'refunded'
      and coalesce(escrow_release_tx, payment_tx) ~ '^0x[0-9a-fA-F]{64}$' and (settled_at, id) < ('2026-01-01', '')
    order by settled_at desc, id desc limit 11`)
  const text = JSON.stringify(plan)
  expect(text).toContain('Index Only Scan Backward using tasks_settled')
  expect(text).not.toContain('Sort')
})
