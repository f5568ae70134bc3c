import { agentIdOf, DAY } from '@guildhall/protocol'
import type { Query } from '@guildhall/sdk'
import { beforeAll, describe, expect, test } from 'vitest'
import { newAgent, newBuyer, newWorker, type Player } from './support/cast.ts'
import { collected } from './support/collected.ts'
import { send } from './support/raw.ts'
import { refusalOf } from './support/refusals.ts'
import { setStage } from './support/stage.ts'
import { aBounty, aDelivery, aTask, claimAndDeliver, postFree } from './support/tasks.ts'

const stage = setStage()

let poster: Player
let worker: Player
const named = new Map<string, string>()

beforeAll(async () => {
  poster = await newBuyer(stage)
  worker = await newWorker(stage)
  const post = async (title: string, more: object = {}) => {
    named.set((await poster.client.tasks.post({ ...aTask, title, ...more })).task_id, title)
    return [...named.keys()].at(-1) ?? ''
  }
  await post('open', { category: 'data', required_capabilities: [' Sorting ', 'counting'] })
  await post('half a dollar', { bounty: { amount: '500000', network: 'eip155:8453' }, escrow: false })
  await post('five', { bounty: aBounty(5) })
  await worker.client.tasks.claim(await post('claimed', { category: 'code', required_capabilities: ['sorting'] }))
  await claimAndDeliver(worker, await post('submitted', { category: 'data' }))
  const verified = await post('verified')
  await claimAndDeliver(worker, verified)
  await poster.client.tasks.accept(verified)
  await poster.client.tasks.cancel(await post('cancelled', { category: 'data' }))
  const expired = await post('expired', { expires_in_days: 1 })
  await stage.travel(DAY)
  expect((await poster.client.tasks.get(expired)).task.status).toBe('expired')
})

const titles = async (query: Query<'listTasks'>): Promise<readonly string[]> => {
  const { tasks } = await stage.client().call('listTasks', { query })
  return tasks.map(({ task_id }) => named.get(task_id) ?? task_id)
}

describe('the board shows', () => {
  test('every status but cancelled and expired, newest first', async () => {
    expect(await titles({})).toEqual(['verified', 'submitted', 'claimed', 'five', 'half a dollar', 'open'])
  })

  test('one status, or all of them', async () => {
    for (const status of ['claimed', 'submitted', 'verified', 'cancelled', 'expired'] as const) {
      expect(await titles({ status })).toEqual([status])
    }
    expect(await titles({ status: 'open' })).toEqual(['five', 'half a dollar', 'open'])
    expect(await titles({ status: 'closed' })).toEqual([])
    expect(await titles({ creator: poster.id, status: 'all' })).toHaveLength(8)
  })

  test('a category, and a capability in whatever case, without the blanks around it', async () => {
    expect(await titles({ category: 'data' })).toEqual(['submitted', 'open'])
    expect(await titles({ category: 'data', status: 'all' })).toEqual(['cancelled', 'submitted', 'open'])
    expect(await titles({ capability: 'SORTING' })).toEqual(['claimed', 'open'])
    expect(await titles({ capability: ' sorting ' })).toEqual(['claimed', 'open'])
    expect(await titles({ capability: 'sort' })).toEqual([])
  })

  test('what an agent posted, and what it holds or held', async () => {
    const other = await newAgent(stage)
    const id = await postFree(other)
    expect(await titles({ creator: other.id })).toEqual([id])
    expect(await titles({ claimer: worker.id })).toEqual(['verified', 'submitted', 'claimed'])
    expect(await titles({ claimer: other.id })).toEqual([])
    await other.client.tasks.cancel(id)
  })

  test('nothing for posters and claimers that nobody knows', async () => {
    const nobody = agentIdOf('11111111111111111111111111111112')
    expect(await titles({ claimer: nobody })).toEqual([])
    for (const creator of [nobody, `0x${'aB'.repeat(20)}`, `own_${'a'.repeat(30)}`])
      expect(await titles({ creator })).toEqual([])
  })

  test('bounties of at least so much; free tasks are none', async () => {
    expect(await titles({ min_usdc: '0.5' })).toEqual(['five', 'half a dollar'])
    expect(await titles({ min_usdc: '0.500001' })).toEqual(['five'])
    expect(await titles({ min_usdc: '0' })).toEqual(['five', 'half a dollar'])
    for (const min_usdc of ['abc', '-1', '1.1234567', '1e3', '']) {
      await refusalOf(titles({ min_usdc }), 'invalid_min_usdc')
    }
  })

  test('pages that fit together', async () => {
    const mine = { creator: poster.id, status: 'all' } as const
    const pages = await Promise.all([0, 3, 6].map((offset) => titles({ ...mine, limit: 3, offset })))
    expect(pages.map(({ length }) => length)).toEqual([3, 3, 2])
    expect(pages.flat()).toEqual(await titles(mine))
    expect(await collected(stage.client().tasks.list({ ...mine, limit: 3 }))).toHaveLength(8)
  })

  test('the SDK all open tasks, though each is cancelled once it was seen', async () => {
    const other = await newAgent(stage)
    for (let count = 0; count < 7; count++) await postFree(other)
    let seen = 0
    for await (const { task_id } of other.client.tasks.list({ creator: other.id, status: 'open', limit: 3 })) {
      await other.client.tasks.cancel(task_id)
      seen++
    }
    expect(seen).toBe(7)
  })

  test('nothing at all for a query that makes no sense, but why', async () => {
    for (const query of [
      'limit=0',
      'limit=101',
      'limit=x',
      'offset=-1',
      'status=done',
      'category=cooking',
      'limit=1&limit=2',
      'creator=0x12',
      'creator=foo',
      'creator=',
      'claimer=foo',
      `claimer=0x${'12'.repeat(20)}`,
    ]) {
      const answer = await send(stage, { method: 'GET', path: `/v1/tasks?${query}`, headers: {}, body: null })
      expect([query, answer.status]).toEqual([query, 400])
    }
  })
})

describe('a public page of the board', () => {
  test('is not sent again while it has not changed', async () => {
    const request = { method: 'GET', path: `/v1/tasks?status=all&creator=${poster.id}`, headers: {}, body: null }
    const first = await send(stage, request)
    const etag = first.headers.get('etag') ?? ''
    const again = await fetch(`${stage.node().url}${request.path}`, { headers: { 'If-None-Match': etag } })
    expect(again.status).toBe(304)
    await postFree(poster).then((id) => poster.client.tasks.cancel(id))
    const changed = await fetch(`${stage.node().url}${request.path}`, { headers: { 'If-None-Match': etag } })
    expect(changed.status).toBe(200)
  })
})

describe('the inbox', () => {
  test('is read forward by a cursor that skips nothing, and marked as read', async () => {
    const [buyer, agent] = [await newAgent(stage), await newAgent(stage)]
    const ids: string[] = []
    for (let count = 0; count < 5; count++) {
      const id = await postFree(buyer)
      await agent.client.tasks.claim(id)
      await agent.client.tasks.deliver(id, aDelivery)
      ids.push(id)
    }
    const start = await buyer.client.events.list({ after: '0', limit: 3 })
    expect(start).toMatchObject({ has_more: true, unread_count: 10 })
    const seen = [...start.events]
    for (let cursor = start.next_cursor; cursor !== null; ) {
      const page = await buyer.client.events.list({ after: cursor, limit: 3 })
      seen.push(...page.events)
      cursor = page.has_more ? page.next_cursor : null
    }
    expect(seen.map(({ type, ref_id }) => [type, ref_id])).toEqual(
      ids.flatMap((id) => [
        ['task.claimed', id],
        ['task.delivered', id],
      ]),
    )
    await buyer.client.events.markRead({ ids: [seen[0]?.id ?? ''], up_to_cursor: null })
    const { unread_count, next_cursor } = await buyer.client.events.list({ unread: '1' })
    expect(unread_count).toBe(9)
    const marked = await buyer.client.events.markRead({ up_to_cursor: next_cursor ?? '', ids: null })
    expect(marked).toMatchObject({ marked: 9, unread_count: 0 })
  })

  test('is its own agent’s only', async () => {
    const [one, other] = [await newAgent(stage), await newAgent(stage)]
    await refusalOf(one.client.call('listEvents', { params: { id: other.id } }), 'forbidden')
    const { fields } = await refusalOf(one.client.events.list({ after: 'yesterday' }), 'invalid_cursor')
    expect(fields.issues).toEqual([{ path: 'after', message: expect.any(String) }])
  })
})
