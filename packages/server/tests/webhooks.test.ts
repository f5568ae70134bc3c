import { DAY, HOUR, limits, MINUTE, SECOND } from '@guildhall/protocol'
import { generateKey, verifyWebhook } from '@guildhall/sdk'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { runUntilQuiet } from '../src/actions/run-until-quiet.ts'
import { newAgent, type Player } from './support/cast.ts'
import { refusalOf } from './support/refusals.ts'
import { sampleId } from './support/samples.ts'
import { setStage } from './support/stage.ts'
import { until } from './support/until.ts'
import { type WebhookReceiver, webhookReceiver } from './support/webhook-receiver.ts'

const stage = setStage({ nodes: 2 })

async function hooked(url: string): Promise<Pick<Player, 'id' | 'client'>> {
  const client = stage.client({ key: generateKey().secretKey })
  const profile = { name: sampleId('hooked'), description: 'Listens.', capabilities: ['listening'], webhook_url: url }
  const { agent_id: id } = await client.agents.register(profile)
  return { id, client }
}

const tell = (agentId: string, refId: string) =>
  stage
    .node()
    .service.world.store.transaction((tx) =>
      tx.addEvents(
        [{ agentId, type: 'status.changed', refKind: 'agent', refId, actorId: null, payload: { text: 'é "x"' } }],
        stage.now(),
        () => sampleId('evt'),
      ),
    )

const refs = ({ events }: WebhookReceiver) => events.map(({ ref_id }) => ref_id)
const received = (receiver: WebhookReceiver, count: number) =>
  until(
    async () => refs(receiver),
    (seen) => seen.length >= count,
  )
const deliveries = async ({ client }: Pick<Player, 'client'>, query = {}) =>
  (await client.webhooks.deliveries(query)).deliveries.map(({ cursor, status, attempts }) => [cursor, status, attempts])
const ended = (agent: Pick<Player, 'client'>, count: number) =>
  until(
    () => deliveries(agent),
    (rows) => rows.filter(([, status]) => status !== 'pending').length >= count,
  )

test('events arrive in order, as the inbox shows them, signed by the Standard Webhooks rules', async () => {
  const receiver = await webhookReceiver()
  const agent = await hooked(receiver.url)
  const { secret } = await agent.client.webhooks.rotateSecret()
  for (const ref of ['a', 'b', 'c']) await tell(agent.id, ref)
  await received(receiver, 3)
  const inbox = await agent.client.events.list({ after: '0' })
  expect(receiver.events).toEqual(inbox.events)
  const official = new Webhook(secret)
  for (const [index, { headers, body }] of receiver.calls.entries()) {
    expect(official.verify(body, headers)).toEqual(inbox.events[index])
    const verdict = verifyWebhook({ secret, headers, body, now: stage.now() })
    expect(verdict).toEqual({ holds: true, event: inbox.events[index], cursor: String(index + 1) })
    expect(headers['webhook-id']).toBe(inbox.events[index]?.id)
    expect(() => official.verify(`${body} `, headers)).toThrow()
  }
  await ended(agent, 3)
  expect(await deliveries(agent)).toEqual([
    ['3', 'delivered', 1],
    ['2', 'delivered', 1],
    ['1', 'delivered', 1],
  ])
})

test('a secret is shown once, to its owner, uncached; after a change both sign for a day', async () => {
  const receiver = await webhookReceiver()
  const agent = await hooked(receiver.url)
  const first = await agent.client.webhooks.rotateSecret()
  expect(first).toEqual({
    ok: true,
    secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    old_secret_until: null,
  })
  const second = await agent.client.webhooks.rotateSecret()
  expect(second.secret).not.toBe(first.secret)
  expect(Date.parse(second.old_secret_until ?? '')).toBeGreaterThan(stage.now() + DAY - HOUR)
  await tell(agent.id, 'a')
  await received(receiver, 1)
  await stage.travel(DAY)
  await tell(agent.id, 'b')
  await received(receiver, 2)
  const holds = (call: number, secret: string) => {
    const { headers, body } = receiver.calls[call] ?? { headers: {}, body: '' }
    return verifyWebhook({ secret, headers, body, now: Number(headers['webhook-timestamp']) * SECOND }).holds
  }
  expect([holds(0, first.secret), holds(0, second.secret)]).toEqual([true, true])
  expect([holds(1, first.secret), holds(1, second.secret)]).toEqual([false, true])

  const stranger = await newAgent(stage)
  await refusalOf(stranger.client.call('rotateWebhookSecret', { params: { id: agent.id } }), 'forbidden')
  await refusalOf(stranger.client.call('listWebhookDeliveries', { params: { id: agent.id } }), 'forbidden')
})

test('an event that fails is tried again with growing distance, and later ones do not wait for it', async () => {
  const receiver = await webhookReceiver()
  receiver.answer(500, 204, 302, 204)
  const agent = await hooked(receiver.url)
  await tell(agent.id, 'a')
  await tell(agent.id, 'b')
  await ended(agent, 1)
  const { webhook_url, deliveries: rows } = await agent.client.webhooks.deliveries()
  expect(webhook_url).toBe(receiver.url)
  expect(rows[1]).toMatchObject({
    cursor: '1',
    status: 'pending',
    attempts: 1,
    last_error: 'The address answered with status 500.',
    ended_at: null,
  })
  const wait = Date.parse(rows[1]?.next_attempt_at ?? '') - stage.now()
  expect(wait).toBeGreaterThan(0)
  expect(wait).toBeLessThanOrEqual(limits.webhook.retryAfterMs[0])
  expect(rows[0]).toMatchObject({ cursor: '2', status: 'delivered', attempts: 1, next_attempt_at: null })
  await stage.travel(5 * SECOND)
  await received(receiver, 3)
  await until(
    () => deliveries(agent),
    ([, first]) => first?.[2] === 2,
  )
  await tell(agent.id, 'c')
  await ended(agent, 2)
  await stage.travel(30 * SECOND)
  await ended(agent, 3)
  expect(refs(receiver)).toEqual(['a', 'b', 'a', 'c', 'a'])
  expect(new Set(receiver.calls.map(({ headers }) => headers['webhook-id'])).size).toBe(3)
  expect(await deliveries(agent)).toEqual([
    ['3', 'delivered', 1],
    ['2', 'delivered', 1],
    ['1', 'delivered', 3],
  ])
})

test('an address that takes nothing rests after three events, and is asked three times again', async () => {
  const receiver = await webhookReceiver()
  receiver.answer(500)
  const agent = await hooked(receiver.url)
  await stage.node().service.world.store.transaction((tx) =>
    tx.addEvents(
      ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((refId) => ({
        agentId: agent.id,
        type: 'status.changed',
        refKind: 'agent',
        refId,
        actorId: null,
        payload: {},
      })),
      stage.now(),
      () => sampleId('evt'),
    ),
  )
  await received(receiver, 3)
  await stage.runDue()
  await stage.travel(5 * SECOND)
  await received(receiver, 6)
  receiver.answer(204)
  await stage.runDue()
  await stage.travel(30 * SECOND)
  await ended(agent, 7)
  expect(refs(receiver)).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'a', 'b', 'c', 'd', 'e', 'f'])
  const seconds = receiver.calls.map(({ headers }) => Number(headers['webhook-timestamp']))
  const restBefore = (call: number) => (seconds[call] ?? 0) - (seconds[call - 1] ?? 0)
  expect(restBefore(3)).toBeGreaterThanOrEqual(5)
  expect(restBefore(6)).toBeGreaterThanOrEqual(30)
})

test('after eight tries over a day an event is given up and shown, and the next ones go on', async () => {
  const receiver = await webhookReceiver()
  receiver.answer(503)
  const agent = await hooked(receiver.url)
  await tell(agent.id, 'a')
  await received(receiver, 1)
  for (const [index, wait] of limits.webhook.retryAfterMs.entries()) {
    await until(
      () => deliveries(agent),
      ([head]) => head?.[2] === index + 1 || head?.[1] === 'failed',
    )
    await stage.travel(wait)
    await received(receiver, index + 2)
  }
  await ended(agent, 1)
  expect(await deliveries(agent)).toEqual([['1', 'failed', 8]])
  expect((await agent.client.webhooks.deliveries({ status: 'failed' })).deliveries[0]).toMatchObject({
    last_error: 'The address answered with status 503.',
    next_attempt_at: null,
    ended_at: expect.any(String),
  })
  receiver.answer(200)
  await tell(agent.id, 'b')
  await ended(agent, 2)
  expect(refs(receiver)).toEqual([...Array.from({ length: 8 }, () => 'a'), 'b'])
})

test('whoever moves the clock is answered after what fell due was pushed, also by another node', async () => {
  const receiver = await webhookReceiver()
  const agent = await hooked(receiver.url)
  const { world } = stage.node().service
  const now = stage.now()
  const held = await world.store.transaction((tx) =>
    tx.leaseWebhook(agent.id, now, now + MINUTE, new Uint8Array(32).fill(1)),
  )
  if (held === null) throw new Error('there was no lease')
  await tell(agent.id, 'a')
  const after = (ms: number, ring: () => void) => {
    void world.store.transaction((tx) => tx.releaseWebhook(held, now)).then(() => world.timer.after(ms, ring))
    return () => {}
  }
  await runUntilQuiet({ ...world, timer: { ...world.timer, after } })
  expect(refs(receiver)).toEqual(['a'])
  expect(await deliveries(agent)).toEqual([['1', 'delivered', 1]])
})

test('two nodes never push an event twice', async () => {
  const receiver = await webhookReceiver()
  const agent = await hooked(receiver.url)
  const all = Array.from({ length: 60 }, (_, nr) => `ref ${nr}`)
  for (const ref of all) await tell(agent.id, ref)
  await received(receiver, all.length)
  await stage.runDue(0)
  await stage.runDue(1)
  expect(refs(receiver)).toEqual(all)
})

test('an address that nobody may call is never called, and the owner learns why', async () => {
  const strict = await stage.startNode({ GUILDHALL_OUTGOING_ALLOW: '10.255.255.0/24' })
  const { world } = strict.service
  for (const url of [
    'http://127.0.0.1:1/',
    'http://169.254.169.254/latest/',
    'http://localhost:1/',
    'http://[::1]:1/',
  ]) {
    const webhook = {
      agentId: 'ag_x',
      url,
      position: 0,
      failures: 0,
      fence: 1,
      salts: { current: new Uint8Array(32), old: null },
    }
    const event = {
      id: 'evt_1',
      position: 1,
      type: 'status.changed',
      refKind: 'agent',
      refId: 'x',
      agentId: 'ag_x',
      actorId: null,
      payload: {},
      createdAt: 0,
      readAt: null,
    } as const
    expect(await world.webhooks.push(webhook, event, stage.now())).toEqual({
      kind: 'failed',
      error: 'The address is not on the public internet.',
    })
  }
  await stage.stopNode(strict)
})

test('a message whose event arrives at a webhook is delivered', async () => {
  const receiver = await webhookReceiver()
  const [agent, sender] = [await hooked(receiver.url), await newAgent(stage)]
  const { message_id } = await sender.client.messages.send(agent.id, { subject: 'Hello', body: 'There.' })
  await received(receiver, 1)
  await expect.poll(async () => (await sender.client.messages.get(message_id)).status).toBe('delivered')
})

test('pages of deliveries follow one another', async () => {
  const receiver = await webhookReceiver()
  const agent = await hooked(receiver.url)
  for (const ref of ['a', 'b', 'c']) await tell(agent.id, ref)
  await ended(agent, 3)
  const first = await agent.client.webhooks.deliveries({ limit: 2 })
  expect(first.deliveries.map(({ cursor }) => cursor)).toEqual(['3', '2'])
  const second = await agent.client.webhooks.deliveries({ limit: 2, before: first.next_cursor ?? '' })
  expect([second.deliveries.map(({ cursor }) => cursor), second.next_cursor]).toEqual([['1'], null])
  await refusalOf(agent.client.webhooks.deliveries({ before: 'x' }), 'invalid_cursor')
})
