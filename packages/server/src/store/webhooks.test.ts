import { DAY, HOUR, MINUTE } from '@guildhall/protocol'
import { expect, test } from 'vitest'
import { NOW, sampleAgent, sampleId } from '../../tests/support/samples.ts'
import { addAgent, storeBench } from '../../tests/support/store.ts'
import type { Webhook } from '../domain/webhook/webhook.ts'
import type { Rest } from '../ports/webhook-store.ts'

const bench = storeBench()
const URL = 'https://agent.example/hook'
const salt = new Uint8Array(32).fill(1)

const { profile } = sampleAgent()
const newAgent = async (webhookUrl: string | null = URL) =>
  (await bench.store.transaction((tx) => addAgent(tx, agentWith(webhookUrl)))).id
const agentWith = (webhookUrl: string | null) => ({ profile: { ...profile, name: sampleId('n'), webhookUrl } })
const setUrl = (agentId: string, webhookUrl: string | null) =>
  bench.store.transaction((tx) => tx.updateProfile(agentId, agentWith(webhookUrl).profile, sampleId('n')))

const tell = (agentId: string, count: number, at = NOW) =>
  bench.store.transaction((tx) =>
    tx.addEvents(
      Array.from({ length: count }, () => ({
        agentId,
        type: 'task.claimed' as const,
        refKind: 'task' as const,
        refId: 'task_1',
        actorId: null,
        payload: {},
      })),
      at,
      () => sampleId('evt'),
    ),
  )

const isDue = async (agentId: string, now = NOW) => (await bench.store.dueWebhooks(now, 1_000)).includes(agentId)
const lease = (agentId: string, now = NOW, store = bench.store) =>
  store.transaction((tx) => tx.leaseWebhook(agentId, now, now + MINUTE, salt))

async function leased(agentId: string, now = NOW): Promise<Webhook> {
  const webhook = await lease(agentId, now)
  if (webhook === null) throw new Error('there was no lease')
  return webhook
}

const shown = async (agentId: string) =>
  (await bench.store.webhookDeliveries({ agentId, status: null, before: null, limit: 100 })).map(
    ({ position, status, attempts, lastError }) => [position, status, attempts, lastError],
  )

test('a webhook falls due with the first event behind its cursor', async () => {
  const agentId = await newAgent()
  expect(await isDue(agentId)).toBe(false)
  await tell(agentId, 1)
  expect(await isDue(agentId)).toBe(true)
})

test('only one of two nodes gets the lease, until it runs out', async () => {
  const agentId = await newAgent()
  await tell(agentId, 1)
  const both = await Promise.all([lease(agentId), lease(agentId, NOW, bench.other)])
  expect(both.filter((webhook) => webhook !== null)).toHaveLength(1)
  expect(await isDue(agentId)).toBe(false)
  const late = await leased(agentId, NOW + MINUTE)
  const [early] = both.filter((webhook) => webhook !== null)
  if (!early) throw new Error('nobody had the lease')
  const note = (webhook: Webhook) => bench.store.transaction((tx) => tx.noteDelivered(webhook, 1, 1, NOW))
  expect([await note(early), await note(late), await note(late)]).toEqual([false, true, false])
  expect(await shown(agentId)).toEqual([[1, 'delivered', 1, null]])
})

const NO_REST = { failures: 1, until: null }
const fail = (webhook: Webhook, position: number, nextAttemptAt: number, rest: Rest = NO_REST, attempts = 1) =>
  bench.store.transaction((tx) => tx.noteFailed(webhook, { position, attempts, error: 'no', nextAttemptAt }, rest))
const retriesOf = async (agentId: string, now: number) =>
  (await bench.store.dueRetries(agentId, now, 100)).map(({ event, attempts }) => [event.position, attempts])

test('an event that failed waits by itself, and the cursor goes on', async () => {
  const agentId = await newAgent()
  await tell(agentId, 2)
  const webhook = await leased(agentId)
  expect(await fail(webhook, 1, NOW + 5_000)).toBe(true)
  await bench.store.transaction((tx) => tx.noteDelivered(webhook, 2, 1, NOW))
  await bench.store.transaction((tx) => tx.releaseWebhook(webhook, NOW))
  expect(await shown(agentId)).toEqual([
    [2, 'delivered', 1, null],
    [1, 'pending', 1, 'no'],
  ])
  expect([await isDue(agentId, NOW + 4_999), await isDue(agentId, NOW + 5_000)]).toEqual([false, true])
  expect([await retriesOf(agentId, NOW + 4_999), await retriesOf(agentId, NOW + 5_000)]).toEqual([[], [[1, 1]]])
  const again = await leased(agentId, NOW + 5_000)
  expect(again).toMatchObject({ position: 2, failures: 0 })
  expect(await bench.store.transaction((tx) => tx.noteDelivered(again, 1, 2, NOW))).toBe(true)
  expect(await shown(agentId)).toEqual([
    [2, 'delivered', 1, null],
    [1, 'delivered', 2, null],
  ])
  expect(await leased(agentId, NOW + HOUR)).toMatchObject({ position: 2 })
})

test('while an address rests nothing is due', async () => {
  const agentId = await newAgent()
  await tell(agentId, 2)
  const webhook = await leased(agentId)
  await fail(webhook, 1, NOW + 1_000, { failures: 3, until: NOW + 5_000 })
  await bench.store.transaction((tx) => tx.releaseWebhook(webhook, NOW))
  expect([await isDue(agentId, NOW + 4_999), await isDue(agentId, NOW + 5_000)]).toEqual([false, true])
  expect(await lease(agentId, NOW + 4_999)).toBeNull()
  const next = await bench.store.webhookDeliveries({ agentId, status: 'pending', before: null, limit: 10 })
  expect(next.map(({ nextAttemptAt }) => nextAttemptAt)).toEqual([NOW + 5_000, NOW + 5_000])
  expect(await lease(agentId, NOW + 5_000)).toMatchObject({ position: 1, failures: 3 })
})

test('an event that is given up goes alone', async () => {
  const agentId = await newAgent()
  await tell(agentId, 2, NOW - 2 * DAY)
  const webhook = await leased(agentId)
  await fail(webhook, 1, NOW, NO_REST, 7)
  const attempt = { position: 1, attempts: 8, error: 'no', at: NOW }
  expect(await bench.store.transaction((tx) => tx.noteGivenUp(webhook, attempt, NO_REST))).toBe(true)
  expect(await retriesOf(agentId, NOW + DAY)).toEqual([])
  expect(await shown(agentId)).toEqual([
    [2, 'pending', 0, null],
    [1, 'failed', 8, 'no'],
  ])
})

const giveUp = (webhook: Webhook) => bench.store.transaction((tx) => tx.giveUpEvents(webhook, NOW - DAY, NOW))

test('at an address that is given up go those that have waited for a day and are due, and no others', async () => {
  const agentId = await newAgent()
  await tell(agentId, 4, NOW - 2 * DAY)
  await tell(agentId, 1, NOW - DAY)
  await tell(agentId, 2, NOW - HOUR)
  const webhook = await leased(agentId)
  await fail(webhook, 1, NOW + HOUR)
  await fail(webhook, 2, NOW)
  expect(await giveUp(webhook)).toEqual({ count: 4, more: false })
  expect(await shown(agentId)).toEqual([
    [7, 'pending', 0, null],
    [6, 'pending', 0, null],
    [5, 'failed', 0, 'The address had not answered for a day.'],
    [4, 'failed', 0, 'The address had not answered for a day.'],
    [3, 'failed', 0, 'The address had not answered for a day.'],
    [2, 'failed', 1, 'no'],
    [1, 'pending', 1, 'no'],
  ])
})

test('many are given up batch after batch', async () => {
  const agentId = await newAgent()
  await tell(agentId, 1_500, NOW - 2 * DAY)
  const webhook = await leased(agentId)
  expect(await giveUp(webhook)).toEqual({ count: 1_000, more: true })
  expect(await giveUp(webhook)).toEqual({ count: 500, more: false })
})

test('giving up passes over an event whose delivery is on record already', async () => {
  const agentId = await newAgent()
  await tell(agentId, 2, NOW - 2 * DAY)
  const webhook = await leased(agentId)
  await bench.store.transaction((tx) => tx.noteDelivered(webhook, 1, 1, NOW))
  await fail(webhook, 1, NOW)
  expect(await giveUp(webhook)).toEqual({ count: 1, more: false })
  expect(await shown(agentId)).toEqual([
    [2, 'failed', 0, 'The address had not answered for a day.'],
    [1, 'delivered', 1, null],
  ])
})

test('an address that is set later starts with the next event; one that is changed goes on at once', async () => {
  const agentId = await newAgent(null)
  await tell(agentId, 2)
  await setUrl(agentId, URL)
  expect(await isDue(agentId)).toBe(false)
  await tell(agentId, 1)
  const webhook = await leased(agentId)
  expect(webhook).toMatchObject({ url: URL, position: 2 })
  await fail(webhook, 3, NOW + HOUR, { failures: 3, until: NOW + HOUR })
  await setUrl(agentId, URL)
  expect(await isDue(agentId)).toBe(false)
  await setUrl(agentId, `${URL}/new`)
  expect(await isDue(agentId)).toBe(true)
  expect(await leased(agentId)).toMatchObject({ url: `${URL}/new`, position: 3, failures: 0 })
  expect(await retriesOf(agentId, NOW)).toEqual([[3, 0]])
})

test.each([`${URL}/new`, null])(
  'an address that is replaced by %s during its turn has no say any more',
  async (next) => {
    const agentId = await newAgent()
    await tell(agentId, 2)
    const webhook = await leased(agentId)
    await setUrl(agentId, next)
    const { transaction } = bench.store
    expect(await transaction((tx) => tx.noteDelivered(webhook, 1, 1, NOW))).toBe(false)
    expect(await fail(webhook, 1, NOW + HOUR)).toBe(false)
    const attempt = { position: 1, attempts: 8, error: 'no', at: NOW }
    expect(await transaction((tx) => tx.noteGivenUp(webhook, attempt, NO_REST))).toBe(false)
    expect(await transaction((tx) => tx.giveUpEvents(webhook, NOW, NOW))).toEqual({ count: 0, more: false })
    if (next === null) expect(await isDue(agentId)).toBe(false)
    else expect(await leased(agentId)).toMatchObject({ url: next, position: 0, failures: 0 })
  },
)

test('webhooks take turns: those that have waited longest come first', async () => {
  const ids = await Promise.all([1, 2, 3].map(() => newAgent()))
  for (const id of ids) await tell(id, 5)
  const turns: string[] = []
  for (let turn = 0; turn < 6; turn++) {
    const now = NOW + turn
    const [next = ''] = (await bench.store.dueWebhooks(now, 1_000)).filter((id) => ids.includes(id))
    const webhook = await leased(next, now)
    await bench.store.transaction((tx) => tx.releaseWebhook(webhook, now))
    turns.push(next)
  }
  expect(new Set(turns.slice(0, 3)).size).toBe(3)
  expect(turns.slice(3)).toEqual(turns.slice(0, 3))
})

test('an address that is taken away gets nothing, and what happens meanwhile is not pushed later', async () => {
  const agentId = await newAgent()
  await tell(agentId, 2)
  await fail(await leased(agentId), 1, NOW)
  await setUrl(agentId, null)
  expect([await isDue(agentId), await lease(agentId)]).toEqual([false, null])
  await setUrl(agentId, URL)
  expect(await isDue(agentId)).toBe(false)
})

test('the old salt counts for a while after a new one was made', async () => {
  const agentId = await newAgent()
  await tell(agentId, 1)
  const rotate = (byte: number) =>
    bench.store.transaction((tx) => tx.rotateWebhookSalt(agentId, new Uint8Array(32).fill(byte), NOW + DAY))
  expect([await rotate(7), await rotate(8)]).toEqual([false, true])
  const saltsAt = async (now: number) => {
    const webhook = await leased(agentId, now)
    await bench.store.transaction((tx) => tx.releaseWebhook(webhook, now))
    return [webhook.salts.current[0], webhook.salts.old?.[0]]
  }
  expect(await saltsAt(NOW)).toEqual([8, 7])
  expect(await saltsAt(NOW + DAY)).toEqual([8, undefined])
})

test('a secret can be made before there is an address', async () => {
  const agentId = await newAgent(null)
  await tell(agentId, 1)
  await bench.store.transaction((tx) => tx.rotateWebhookSalt(agentId, salt, NOW + DAY))
  expect(await isDue(agentId)).toBe(false)
  await setUrl(agentId, URL)
  await tell(agentId, 1)
  expect(await leased(agentId)).toMatchObject({ position: 1 })
})

test('deliveries are shown newest first, page after page, and by status', async () => {
  const agentId = await newAgent()
  await tell(agentId, 4)
  const webhook = await leased(agentId)
  await bench.store.transaction((tx) => tx.noteDelivered(webhook, 1, 1, NOW))
  await bench.store.transaction((tx) => tx.noteDelivered(webhook, 2, 3, NOW))
  const ask = async (status: 'pending' | 'delivered' | 'failed' | null, before: number | null, limit = 10) =>
    (await bench.store.webhookDeliveries({ agentId, status, before, limit })).map(({ position }) => position)
  expect(await ask(null, null, 3)).toEqual([4, 3, 2])
  expect(await ask(null, 2)).toEqual([1])
  expect(await ask('pending', null)).toEqual([4, 3])
  expect(await ask('delivered', null)).toEqual([2, 1])
  expect(await ask('failed', null)).toEqual([])
})

test('records are kept for a month', async () => {
  const agentId = await newAgent()
  await tell(agentId, 1)
  const webhook = await leased(agentId)
  await bench.store.transaction((tx) => tx.noteDelivered(webhook, 1, 1, NOW))
  await bench.store.transaction((tx) => tx.forgetExpired(NOW + 30 * DAY - 1))
  expect(await shown(agentId)).toHaveLength(1)
  await bench.store.transaction((tx) => tx.forgetExpired(NOW + 30 * DAY))
  expect(await shown(agentId)).toEqual([])
})
