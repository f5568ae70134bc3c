import { createHash } from 'node:crypto'
import type { Body } from '@guildhall/sdk'
import { beforeAll, describe, expect, test } from 'vitest'
import { newAgent, newBuyer, type Player } from './support/cast.ts'
import { outcomeOf, send, signed } from './support/raw.ts'
import { refusalOf } from './support/refusals.ts'
import { BASE, setStage } from './support/stage.ts'
import { aDelivery, aTask, claimAndDeliver, postFree } from './support/tasks.ts'

const stage = setStage()
let poster: Player
let worker: Player
beforeAll(async () => {
  poster = await newBuyer(stage, { usdc: '1000' })
  worker = await newAgent(stage)
})

/** Characters outside the basic plane: one code point, two UTF-16 units, four bytes. */
const text = (length: number) => '🗝'.repeat(length)
const pathOf = async (refused: ReturnType<typeof refusalOf<'bad_request'>>) => (await refused).fields.issues?.[0]?.path

describe('of a task', () => {
  type TaskBody = Body<'createTask'>
  const fields: readonly { field: string; last: Partial<TaskBody>; beyond: Partial<TaskBody> }[] = [
    { field: 'title', last: { title: text(200) }, beyond: { title: text(201) } },
    { field: 'title', last: { title: 'a' }, beyond: { title: '' } },
    { field: 'title', last: { title: ' 🗝\n' }, beyond: { title: ' \n\t\u3000' } },
    { field: 'description', last: { description: '?' }, beyond: { description: '\u200b ' } },
    { field: 'description', last: { description: text(10_000) }, beyond: { description: text(10_001) } },
    { field: 'expected_output', last: { expected_output: text(2_000) }, beyond: { expected_output: text(2_001) } },
    {
      field: 'required_capabilities',
      last: { required_capabilities: Array.from({ length: 20 }, (_, place) => `skill ${place}`) },
      beyond: { required_capabilities: Array.from({ length: 21 }, (_, place) => `skill ${place}`) },
    },
    { field: 'expires_in_days', last: { expires_in_days: 1 }, beyond: { expires_in_days: 0 } },
    { field: 'expires_in_days', last: { expires_in_days: 90 }, beyond: { expires_in_days: 1.5 } },
  ]

  test.each(fields)('$field', async ({ field, last, beyond }) => {
    expect(await poster.client.tasks.post({ ...aTask, ...last })).toMatchObject({ status: 'open' })
    expect(await pathOf(refusalOf(poster.client.tasks.post({ ...aTask, ...beyond }), 'bad_request'))).toContain(field)
  })

  test('every move of a task that is not there says so in the same words', async () => {
    const id = 'task_00000000000000000000000042'
    for (const move of ['accept', 'verify', 'fund', 'claim', 'cancel']) {
      const { status, body } = await send(stage, signed(stage, poster, 'POST', `/v1/tasks/${id}/${move}`))
      expect([move, status, body.message]).toEqual([move, 404, `There is no task ${id}.`])
    }
  })

  test('a hire of blanks is refused before it is offered', async () => {
    const hire = (body: unknown) =>
      send(stage, {
        method: 'POST',
        path: '/v1/x402/tasks',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      })
    expect(outcomeOf(await hire({ title: ' ', description: 'Words.' }))).toBe('400 bad_request')
    expect(outcomeOf(await hire({ title: 'Words', description: '\n' }))).toBe('400 bad_request')
    expect((await hire({ title: 'Words', description: 'Words.' })).status).toBe(402)
  })

  test('its window is at most ninety days for a poster', async () => {
    const refused = await refusalOf(
      poster.client.tasks.post({ ...aTask, expires_in_days: 91 }),
      'expiry_window_not_allowed',
    )
    expect(refused.fields.max_days).toBe(90)
    await refusalOf(poster.client.tasks.post({ ...aTask, expires_in_days: 0 }), 'bad_request')
  })

  test('its window is longer for a house account, and 0 is for ever', async () => {
    const registryKey = Buffer.from(stage.parts.keys.registry.replace(/^0x/, ''), 'hex')
    const key = createHash('sha256').update('guildhall house agent').update(registryKey).digest()
    const house = stage.client({ key })
    const open = async (expires_in_days: number) => {
      const { task_id } = await house.tasks.post({ ...aTask, expires_in_days })
      return (await house.tasks.get(task_id)).task
    }
    expect(await open(0)).toMatchObject({ expires_in_days: null, expires_at: null })
    expect(await open(3_650)).toMatchObject({ expires_in_days: 3_650 })
    const refused = await refusalOf(house.tasks.post({ ...aTask, expires_in_days: 3_651 }), 'expiry_window_not_allowed')
    expect(refused.fields.max_days).toBe(3_650)
  })

  test('its bounty is from a tenth of a dollar to a thousand', async () => {
    const bounty = (amount: string) => ({ ...aTask, bounty: { amount, network: BASE }, escrow: false })
    for (const amount of ['100000', '1000000000']) {
      expect(await poster.client.tasks.post(bounty(amount))).toMatchObject({ bounty: { amount_atomic: amount } })
    }
    for (const amount of ['99999', '0'])
      await refusalOf(poster.client.tasks.post(bounty(amount)), 'bounty_below_minimum')
    await refusalOf(poster.client.tasks.post(bounty('1000000001')), 'bad_request')
    for (const amount of ['-1', '1.5', '5e6', '05', ' 5', '0x5']) {
      await refusalOf(poster.client.tasks.post(bounty(amount)), 'bad_request')
    }
  })

  test('its body is at most 256 KiB', async () => {
    const body = (bytes: number) => {
      const bare = JSON.stringify({ ...aTask, note: '' })
      return { ...aTask, note: 'x'.repeat(bytes - bare.length) }
    }
    const post = (bytes: number) => send(stage, signed(stage, poster, 'POST', '/v1/tasks', body(bytes)))
    expect(outcomeOf(await post(256 * 1024))).toBe('200')
    expect(outcomeOf(await post(256 * 1024 + 1))).toBe('413 payload_too_large')
  })
})

describe('of a delivery', () => {
  type Delivery = Body<'deliverTask'>
  const fields: readonly { field: string; last: Partial<Delivery>; beyond: Partial<Delivery> }[] = [
    { field: 'summary', last: { summary: text(2_000) }, beyond: { summary: text(2_001) } },
    {
      field: 'submission_content',
      last: { submission_content: text(50_000) },
      beyond: { submission_content: text(50_001) },
    },
    { field: 'commit_hash', last: { commit_hash: 'a'.repeat(40) }, beyond: { commit_hash: 'A'.repeat(40) } },
    { field: 'pr_url', last: { pr_url: 'https://example.org/1' }, beyond: { pr_url: 'javascript:alert(1)' } },
    {
      field: 'artifact_urls',
      last: { artifact_urls: ['http://example.org'] },
      beyond: { artifact_urls: ['//example.org'] },
    },
  ]

  test.each(fields)('$field', async ({ field, last, beyond }) => {
    const id = await postFree(poster)
    await worker.client.tasks.claim(id)
    expect(
      await pathOf(refusalOf(worker.client.tasks.deliver(id, { ...aDelivery, ...beyond }), 'bad_request')),
    ).toContain(field)
    expect(await worker.client.tasks.deliver(id, { ...aDelivery, ...last })).toMatchObject({ status: 'submitted' })
  })
})

describe('of a review', () => {
  const submitted = async () => {
    const id = await postFree(poster)
    await claimAndDeliver(worker, id)
    return id
  }

  test('note and reason have 1 to 2000 characters', async () => {
    const { revision, dispute, cancel } = poster.client.tasks
    const [one, other] = [await submitted(), await submitted()]
    for (const note of ['', text(2_001)]) await refusalOf(revision(one, { note }), 'bad_request')
    expect(await revision(one, { note: text(2_000) })).toMatchObject({ revision_count: 1 })
    for (const reason of ['', text(2_001)]) await refusalOf(dispute(other, { reason }), 'bad_request')
    expect(await dispute(other, { reason: text(2_000) })).toMatchObject({ review_state: 'disputed' })
    await refusalOf(cancel(other, { reason: text(2_001) }), 'bad_request')
    expect(await cancel(other, { reason: text(2_000) })).toMatchObject({ status: 'cancelled' })
  })

  test('a rating is 1 to 5, its comment at most 500 characters and never without it', async () => {
    const id = await submitted()
    const { accept } = poster.client.tasks
    for (const rating of [0, 6, 2.5]) await refusalOf(accept(id, { rating }), 'bad_request')
    await refusalOf(accept(id, { rating: 5, rating_comment: text(501) }), 'bad_request')
    await refusalOf(accept(id, { rating_comment: 'Good.' }), 'bad_request')
    expect(await accept(id, { rating: 1, rating_comment: text(500) })).toMatchObject({ rating: 1 })
  })
})

describe('of a profile', () => {
  const register = (profile: object) =>
    newAgentWith({ name: `agent ${crypto.randomUUID()}`, description: 'x', capabilities: ['x'], ...profile })
  const newAgentWith = async (profile: Body<'registerComplete'>['profile']) => {
    const client = stage.client({ key: crypto.getRandomValues(new Uint8Array(32)) })
    return client.agents.register(profile)
  }

  test('description 2000, capabilities 50 of 64, tags 20', async () => {
    const capabilities = (count: number) => Array.from({ length: count }, (_, place) => `c${place}`)
    expect(
      await register({ description: text(2_000), capabilities: capabilities(50), tags: capabilities(20) }),
    ).toMatchObject({ status: 'active' })
    for (const profile of [
      { description: text(2_001) },
      { description: '' },
      { capabilities: capabilities(51) },
      { capabilities: [] },
      { capabilities: [text(65)] },
      { tags: capabilities(21) },
    ]) {
      await refusalOf(register(profile), 'bad_request')
    }
    expect(await register({ capabilities: [text(64)] })).toMatchObject({ status: 'active' })
  })

  test('a name has 2 to 64 characters', async () => {
    expect(await register({ name: 'Zy' })).toMatchObject({ status: 'active' })
    expect(await register({ name: 'n'.repeat(64) })).toMatchObject({ status: 'active' })
  })
})

test('of a page of events: 1 to 100', async () => {
  for (const limit of [1, 100]) expect(await worker.client.events.list({ limit })).toHaveProperty('events')
  for (const limit of [0, 101])
    expect((await refusalOf(worker.client.events.list({ limit }), 'bad_request')).status).toBe(400)
})
