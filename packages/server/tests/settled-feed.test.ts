import { createHash } from 'node:crypto'
import { SECOND } from '@guildhall/protocol'
import { beforeAll, expect, test } from 'vitest'
import { give, newBuyer, newWallet, newWorker, type Player } from './support/cast.ts'
import { refusalOf } from './support/refusals.ts'
import { setStage } from './support/stage.ts'
import { stopClock } from './support/stopped-clock.ts'
import { aBounty, aDelivery, aTask, deliveredTask, postEscrowed } from './support/tasks.ts'

/** Time passes when a story says so. */
const stage = setStage()
stopClock(stage)
let buyer: Player
let worker: Player

beforeAll(async () => {
  buyer = await newBuyer(stage)
  worker = await newWorker(stage)
})

/** Posts, claims, delivers and pays, with so much time before each next step. */
async function paidTask(seconds: readonly [claim: number, deliver: number, accept: number] = [0, 0, 0]) {
  const taskId = await postEscrowed(buyer)
  await stage.travel(seconds[0] * SECOND)
  await worker.client.tasks.claim(taskId)
  await stage.travel(seconds[1] * SECOND)
  await worker.client.tasks.deliver(taskId, aDelivery)
  await stage.travel(seconds[2] * SECOND)
  const { payment_tx_hash: txHash } = await buyer.client.tasks.accept(taskId)
  return { taskId, txHash }
}

const feed = (query = '') => fetch(`${stage.node().url}/v1/tasks/settled${query}`)
const settled = (query?: Parameters<typeof buyer.client.tasks.settled>[0]) => stage.client().tasks.settled(query)

test('nothing was paid yet: totals are zero, medians unknown, and there is no next page', async () => {
  const { stats, tasks, next_cursor } = await settled()
  expect({ tasks, next_cursor }).toEqual({ tasks: [], next_cursor: null })
  expect(stats).toEqual({
    window_days: 30,
    n: 0,
    min_n_for_medians: 5,
    median_time_to_paid_s: null,
    median_time_to_claim_s: null,
    median_delivery_s: null,
    median_review_s: null,
    tasks_paid_all_time: 0,
    usdc_paid_all_time: '0.00',
    computed_at: expect.any(String),
  })
})

test('a paid task is in the feed at once, with its transaction, its deliverer and not its buyer', async () => {
  const { taskId, txHash } = await paidTask([100, 50, 25])
  const answer = await feed()
  const text = await answer.text()
  const { stats, tasks } = JSON.parse(text)
  const { task } = await stage.client().tasks.get(taskId)
  expect(tasks).toEqual([
    {
      task_id: taskId,
      title: aTask.title,
      category: null,
      bounty: { amount_atomic: '5000000', amount_display: '5.00', token: 'USDC', network: 'eip155:8453' },
      agent: { id: worker.id, name: worker.name },
      sponsored: false,
      created_at: task.created_at,
      claimed_at: task.claimed_at,
      submitted_at: task.submitted_at,
      settled_at: task.settled_at,
      time_to_paid_s: 175,
      delivery_s: 50,
      tx_hash: txHash,
      explorer_url: `https://basescan.org/tx/${txHash}`,
    },
  ])
  expect(stats).toMatchObject({ n: 1, tasks_paid_all_time: 1, usdc_paid_all_time: '5.00', median_time_to_paid_s: null })
  expect(text).not.toContain(buyer.id)
  expect(text.toLowerCase()).not.toContain(buyer.wallet.address.toLowerCase())
})

test('a task that was refunded is not in the feed', async () => {
  await buyer.client.tasks.cancel(await postEscrowed(buyer))
  expect((await settled()).tasks).toHaveLength(1)
})

test('the answer may be kept for 60 seconds, and an unchanged one is not sent again', async () => {
  const first = await feed()
  expect(first.headers.get('cache-control')).toBe('public, max-age=60')
  const etag = first.headers.get('etag') ?? ''
  const again = await fetch(first.url, { headers: { 'If-None-Match': etag } })
  expect([again.status, again.headers.get('etag')]).toEqual([304, etag])
})

test('from five samples on each stage has its median; an even count takes the mean of the two middle values', async () => {
  for (const claim of [10, 20, 30]) await paidTask([claim, 2 * claim, 3 * claim])
  expect((await settled()).stats).toMatchObject({ n: 4, median_time_to_claim_s: null, median_review_s: null })
  await paidTask([40, 80, 120])
  const odd = (await settled()).stats
  expect(odd).toMatchObject({ n: 5, tasks_paid_all_time: 5, usdc_paid_all_time: '25.00' })
  expect(odd.median_time_to_claim_s).toBe(30)
  expect(odd.median_delivery_s).toBe(50)
  expect(odd.median_review_s).toBe(60)
  await paidTask([1_000, 1_000, 1_000])
  const rows = (await settled()).tasks
  const middle = rows.map(({ time_to_paid_s }) => time_to_paid_s).sort((one, other) => one - other)
  const { stats } = await settled()
  expect(stats.median_time_to_paid_s).toBe(Math.round(((middle[2] ?? 0) + (middle[3] ?? 0)) / 2))
  expect(stats.median_time_to_claim_s).toBe(35)
})

test('pages follow each other without a gap or a repetition, and the last has no cursor', async () => {
  const all = (await settled({ limit: 50 })).tasks.map(({ task_id }) => task_id)
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const page = await settled({ limit: 4, cursor })
    seen.push(...page.tasks.map(({ task_id }) => task_id))
    cursor = page.next_cursor ?? undefined
    const last = page.tasks.at(-1)
    if (cursor !== undefined) expect(cursor).toBe(`${last?.settled_at}|${last?.task_id}`)
  } while (cursor !== undefined)
  expect(seen).toEqual(all)
  expect(all).toHaveLength(6)
  expect((await settled({ limit: 6 })).next_cursor).toBeNull()
  const third = (await settled({ limit: 3 })).tasks[2]
  const older = await settled({ cursor: third?.settled_at })
  expect(older.tasks.map(({ task_id }) => task_id)).toEqual(all.slice(3))
  expect((await feed(`?cursor=${third?.settled_at}|${third?.task_id}`)).status).toBe(200)
  const every: string[] = []
  for await (const { task_id } of stage.client().tasks.everySettled()) every.push(task_id)
  expect(every).toEqual(all)
})

test('the window moves on, the totals stay', async () => {
  await stage.travel(2 * 86_400 * SECOND)
  expect((await settled({ window_days: 1 })).stats).toMatchObject({ window_days: 1, n: 0, tasks_paid_all_time: 6 })
  expect((await settled({ window_days: 3 })).stats).toMatchObject({ n: 6, usdc_paid_all_time: '30.00' })
  const { tasks } = await stage.client().service.status()
  expect(tasks).toMatchObject({ paid: 6, paid_usdc_total: '30.00' })
})

test('a task posted by a house account is sponsored', async () => {
  const key = createHash('sha256').update('guildhall house agent').update(Buffer.from(registryKey(), 'hex')).digest()
  const wallet = newWallet()
  await give(stage, wallet.address, '10')
  const house = stage.client({ key, wallet, maxUsdc: '10' })
  await stage.moveClocks(SECOND)
  const { task_id } = await house.tasks.post({ ...aTask, bounty: aBounty(1) })
  await worker.client.tasks.claim(task_id)
  await worker.client.tasks.deliver(task_id, aDelivery)
  await house.tasks.accept(task_id)
  expect((await settled({ limit: 1 })).tasks).toMatchObject([{ task_id, sponsored: true }])
})

const registryKey = (): string => stage.parts.keys.registry.replace(/^0x/, '')

test('a declared bounty that was paid at acceptance shows its payment', async () => {
  await stage.moveClocks(SECOND)
  const taskId = await deliveredTask(buyer, worker, { bounty: aBounty(2), escrow: false })
  const { payment_tx_hash } = await buyer.client.tasks.accept(taskId)
  expect((await settled({ limit: 1 })).tasks).toMatchObject([{ task_id: taskId, tx_hash: payment_tx_hash }])
})

test.each([
  ['limit=0', 'invalid_limit'],
  ['limit=51', 'invalid_limit'],
  ['limit=ten', 'invalid_limit'],
  ['limit=', 'invalid_limit'],
  ['limit=5&limit=6', 'invalid_limit'],
  ['window_days=0', 'invalid_window_days'],
  ['window_days=366', 'invalid_window_days'],
  ['window_days=1.5', 'invalid_window_days'],
  ['cursor=', 'invalid_cursor'],
  ['cursor=2026-13-01T00:00:00.000Z', 'invalid_cursor'],
  ['cursor=2026-01-01T00:00:00.000Z|a|b', 'invalid_cursor'],
  ['cursor=2026-01-01T00:00:00.000Z|task_x', 'invalid_cursor'],
])('%s is refused with %s', async (query, code) => {
  const answer = await feed(`?${query}`)
  expect([answer.status, ((await answer.json()) as { error: string }).error]).toEqual([400, code])
})

test('no task is called settled, and the feed is only for reading', async () => {
  await refusalOf(stage.client().tasks.get('settlers'), 'not_found')
  expect((await feed('')).status).toBe(200)
  expect((await fetch(`${stage.node().url}/v1/tasks/settled`, { method: 'POST' })).status).toBe(405)
})
