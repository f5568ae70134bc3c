import { DAY, HOUR, MINUTE } from '@guildhall/protocol'
import { expect, test } from 'vitest'
import { NOW, sampleAgent, sampleId } from '../../tests/support/samples.ts'
import { addAgent, storeBench } from '../../tests/support/store.ts'
import type { Webhook } from '../domain/webhook/webhook.ts'

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

test('after a failed try it waits, and what waits behind it waits too', async () => {
  const agentId = await newAgent()
  await tell(agentId, 2)
  const webhook = await leased(agentId)
  await bench.store.transaction((tx) => tx.noteFailed(webhook, 1, 'no', NOW + 5_000))
  expect([await isDue(agentId, NOW + 4_999), await isDue(agentId, NOW + 5_000)]).toEqual([false, true])
  expect(await lease(agentId, NOW + 4_999)).toBeNull()
  expect(await shown(agentId)).toEqual([
    [2, 'pending', 0, null],
    [1, 'pending', 1, 'no'],
  ])
  expect(await lease(agentId, NOW + 5_000)).toMatchObject({ position: 0, attempts: 1 })
})

test('with an event that is given up go those that have waited behind it for a day, and no others', async () => {
  const agentId = await newAgent()
  await tell(agentId, 2, NOW - 2 * DAY)
  await tell(agentId, 1, NOW - DAY)
  await tell(agentId, 2, NOW - HOUR)
  const webhook = await leased(agentId)
  const head = { position: 1, attempts: 8, error: 'no' }
  const given = await bench.store.transaction((tx) => tx.giveUpEvents(webhook, head, NOW - DAY, NOW))
  expect(given).toEqual({ position: 3, more: false })
  expect(await shown(agentId)).toEqual([
    [5, 'pending', 0, null],
    [4, 'pending', 0, null],
    [3, 'failed', 0, 'The address had not answered for a day.'],
    [2, 'failed', 0, 'The address had not answered for a day.'],
    [1, 'failed', 8, 'no'],
  ])
})

test('a young event that is given up goes alone', async () => {
  const agentId = await newAgent()
  await tell(agentId, 3)
  const head = { position: 1, attempts: 8, error: 'no' }
  const webhook = await leased(agentId)
  expect(await bench.store.transaction((tx) => tx.giveUpEvents(webhook, head, NOW - DAY, NOW))).toEqual({
    position: 1,
    more: false,
  })
})

test('many are given up batch after batch', async () => {
  const agentId = await newAgent()
  await tell(agentId, 1_500, NOW - 2 * DAY)
  const webhook = await leased(agentId)
  const give = (head: { position: number; attempts: number; error: string } | null) =>
    bench.store.transaction((tx) => tx.giveUpEvents(webhook, head, NOW - DAY, NOW))
  expect(await give({ position: 1, attempts: 8, error: 'no' })).toEqual({ position: 1_000, more: true })
  expect(await give(null)).toEqual({ position: 1_500, more: false })
})

test('an address that is set later starts with the next event; one that is changed goes on at once', async () => {
  const agentId = await newAgent(null)
  await tell(agentId, 2)
  await setUrl(agentId, URL)
  expect(await isDue(agentId)).toBe(false)
  await tell(agentId, 1)
  const webhook = await leased(agentId)
  expect(webhook).toMatchObject({ url: URL, position: 2 })
  await bench.store.transaction((tx) => tx.noteFailed(webhook, 3, 'no', NOW + HOUR))
  await setUrl(agentId, URL)
  expect(await isDue(agentId)).toBe(false)
  await setUrl(agentId, `${URL}/new`)
  expect(await leased(agentId)).toMatchObject({ url: `${URL}/new`, position: 2, attempts: 0 })
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
    await transaction((tx) => tx.noteFailed(webhook, 7, 'no', NOW + HOUR))
    const head = { position: 1, attempts: 8, error: 'no' }
    await transaction((tx) => tx.giveUpEvents(webhook, head, NOW, NOW))
    if (next === null) expect(await isDue(agentId)).toBe(false)
    else expect(await leased(agentId)).toMatchObject({ url: next, position: 0, attempts: 0 })
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
  await tell(agentId, 1)
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
