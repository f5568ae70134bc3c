import { expect, onTestFinished, test } from 'vitest'
import { NOW, sampleAgent } from '../../tests/support/samples.ts'
import { createStoppedTimer } from '../../tests/support/stopped-timer.ts'
import { addAgent, silentLog, storeBench } from '../../tests/support/store.ts'
import { createDoors } from '../http/doors/doors.ts'
import { createPostgresStore } from '../store/postgres-store.ts'
import { createMetrics } from './create-metrics.ts'
import { serveMetrics } from './serve-metrics.ts'

const bench = storeBench()
const idleDoors = createDoors(1, createStoppedTimer()).counts
const DAY_LATER = NOW + 86_400_000
const SERVED = ['eip155:8453']

async function scrapedAt(now: number) {
  const store = createPostgresStore({ databaseUrl: bench.url, log: silentLog })
  const metrics = createMetrics({
    figures: () => store.figures.figures(now, SERVED),
    unserved: () => store.figures.unserved(SERVED),
    pool: store.figures.pool,
    openStreams: () => 7,
    doors: idleDoors,
  })
  const server = await serveMetrics(metrics, { host: '127.0.0.1', port: 0 })
  onTestFinished(async () => {
    await server.stop()
    await store.close()
  })
  const scrape = async () => (await fetch(server.url)).text()
  return { metrics, server, scrape }
}

const valueIn = (text: string, name: string): number => Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1])

test('answered requests are counted by the template of their path', async () => {
  const { metrics, scrape } = await scrapedAt(NOW)
  metrics.observe({ method: 'GET', template: '/v1/tasks/{id}', status: 200, seconds: 0.02 })
  metrics.observe({ method: 'GET', template: null, status: 404, seconds: 0.001 })
  const text = await scrape()
  expect(text).toContain('guildhall_http_request_seconds_count{method="GET",route="/v1/tasks/{id}",status="200"} 1')
  expect(text).toContain('guildhall_http_request_seconds_count{method="GET",route="nowhere",status="404"} 1')
  expect(valueIn(text, 'guildhall_event_streams')).toBe(7)
  expect(valueIn(text, 'guildhall_database_up')).toBe(1)
})

test('a stray waits until it is returned, explained or makes up for a loss', async () => {
  await bench.sql.query(
    `insert into wallet_movements (network, tx_hash, log_index, block_number, incoming, counterparty, amount, booked, proven,
       stray_id, covers_loss, seen_at)
     values ('eip155:8453', '0x1', 1, 1, true, '0xa', 1, true, true, 'str_1', false, $1),
       ('eip155:8453', '0x2', 1, 1, true, '0xa', 1, true, true, 'str_2', true, $1)`,
    [new Date(NOW)],
  )
  expect(valueIn(await (await scrapedAt(NOW)).scrape(), 'guildhall_strays_waiting')).toBe(1)
})

test('the figures show what waits, and how long the oldest has waited', async () => {
  await bench.sql.query(
    `insert into transfers (id, purpose, network, asset, payer, payee, amount, valid_after, valid_before, nonce, state,
       from_block, is_final, attempts, fence, created_at)
     values ('tr_1', 'deposit', 'eip155:8453', '0xa', '0xb', '0xc', 5, 0, 0, '0xd', 'intended', 0, false, 0, 0, $1)`,
    [new Date(NOW)],
  )
  await bench.sql.query(
    `insert into mails (id, recipient, subject, body, created_at, expires_at, next_attempt_at, attempts, fence)
     values ('mail_1', 'a@example.org', 's', 'b', $1, $1, $1, 0, 0)`,
    [new Date(NOW)],
  )
  await bench.sql.query("update switches set is_off = true where name = 'payouts'")
  await bench.sql.query(
    `insert into wallet_watches (network, wallet, asset, difference, transactions, missed, look_at, proven_at, fence)
     values ('eip155:8453', '0xa', '0xb', -5, 0, 0, $1, $1, 0)`,
    [new Date(NOW)],
  )
  const text = await (await scrapedAt(DAY_LATER)).scrape()
  expect(valueIn(text, 'guildhall_payments_waiting')).toBe(1)
  expect(valueIn(text, 'guildhall_payment_oldest_seconds')).toBe(86_400)
  expect(valueIn(text, 'guildhall_mails_waiting')).toBe(1)
  expect(valueIn(text, 'guildhall_mail_oldest_seconds')).toBe(86_400)
  expect(valueIn(text, 'guildhall_payouts_paused')).toBe(1)
  expect(text).toContain('guildhall_custody_difference_atomic{network="eip155:8453"} -5')
  expect(text).toContain('guildhall_custody_proven_seconds{network="eip155:8453"} 86400')
  expect(valueIn(text, 'guildhall_ledger_checkpoint_seconds')).toBeNaN()
})

test('an event that was not pushed has waited since it happened, and the jobs are behind since it was due', async () => {
  const profile = { ...sampleAgent().profile, webhookUrl: 'https://agent.example/hook' }
  await bench.store.transaction(async (tx) => {
    const { id } = await addAgent(tx, { profile })
    const event = { agentId: id, type: 'task.claimed', refKind: 'task', refId: 'task_1', actorId: null } as const
    await tx.addEvents([{ ...event, payload: {} }], NOW, () => 'evt_1')
  })
  const { scrape } = await scrapedAt(DAY_LATER)
  const seen = async () => {
    const text = await scrape()
    return ['s_waiting', '_oldest_seconds', 's_behind_seconds'].map((end) => valueIn(text, `guildhall_webhook${end}`))
  }
  const put = (column: string, at: number) => bench.sql.query(`update webhooks set ${column} = $1`, [new Date(at)])
  expect(await seen()).toEqual([1, 86_400, 86_400])
  await put('next_attempt_at', DAY_LATER - 5_000)
  expect(await seen()).toEqual([1, 86_400, 5])
  await put('lease_until', DAY_LATER + 1_000)
  expect(await seen()).toEqual([1, 86_400, 0])
  await bench.sql.query('update webhooks set lease_until = null')
  await put('next_attempt_at', DAY_LATER + 5_000)
  expect(await seen()).toEqual([1, 86_400, 0])
  await bench.sql.query('update webhooks set position = position + 1')
  expect(await seen()).toEqual([0, 0, 0])
  await bench.sql.query(
    `insert into webhook_retries (agent_id, position, attempts, last_error, next_attempt_at)
    select agent_id, position, 1, 'no', $1 from webhooks`,
    [new Date(DAY_LATER - 3_000)],
  )
  expect(await seen()).toEqual([1, 86_400, 0])
  await bench.sql.query('update webhooks set next_attempt_at = null')
  expect(await seen()).toEqual([1, 86_400, 3])
})

test('the figures show money on networks that are not served, and no other', async () => {
  const { scrape } = await scrapedAt(NOW)
  expect(await scrape()).not.toMatch(/^guildhall_unserved/m)
  await bench.sql.query(
    `insert into tally_changes (topic, item, change)
     values ('balance', 'eip155:137 deposits', 7), ('balance', 'eip155:137 bonds', 2), ('balance', 'eip155:137 wallet', 9),
       ('balance', 'eip155:8453 deposits', 5), ('balance', 'eip155:5042 house', 1)`,
  )
  const text = await scrape()
  expect(text.match(/^guildhall_unserved.*$/gm)).toEqual([
    'guildhall_unserved_payments{network="eip155:137"} 0',
    'guildhall_unserved_owed_atomic{network="eip155:137"} 9',
  ])
})

test('a network that was taken out has no wallet to be compared, so its age wakes nobody', async () => {
  await bench.sql.query(
    `insert into wallet_watches (network, wallet, asset, difference, transactions, missed, look_at, proven_at, fence)
     values ('eip155:137', '0xa', '0xb', 0, 0, 0, $1, $1, 0)`,
    [new Date(NOW)],
  )
  const { scrape } = await scrapedAt(DAY_LATER)
  expect(await scrape()).not.toMatch(/^guildhall_custody.*eip155:137/m)
})

test('the doors show who waits there, and how many were turned away since the node started', async () => {
  const metrics = createMetrics({
    figures: () => Promise.reject(new Error('no database')),
    unserved: async () => [],
    pool: () => ({ open: 0, idle: 0, waiting: 0 }),
    openStreams: () => 0,
    doors: () => ({ ...idleDoors(), changes: { atWork: 32, inLine: 4, turnedAway: 9 } }),
  })
  await metrics.text()
  const text = await metrics.text()
  expect(text).toContain('guildhall_door_requests{door="changes",state="at work"} 32')
  expect(text).toContain('guildhall_door_requests{door="changes",state="in line"} 4')
  expect(text).toContain('guildhall_door_turned_away_total{door="changes"} 9')
  expect(text).toContain('guildhall_door_turned_away_total{door="reads"} 0')
})

test('a node without its database still answers, and says so', async () => {
  const metrics = createMetrics({
    figures: () => Promise.reject(new Error('no database')),
    unserved: async () => [],
    pool: () => ({ open: 0, idle: 0, waiting: 3 }),
    openStreams: () => 0,
    doors: idleDoors,
  })
  const text = await metrics.text()
  expect(valueIn(text, 'guildhall_database_up')).toBe(0)
  expect(text).toContain('guildhall_database_connections{state="waiting"} 3')
})

test('nothing but the figures is served', async () => {
  const { server } = await scrapedAt(NOW)
  expect((await fetch(new URL('/', server.url))).status).toBe(404)
  expect((await fetch(server.url, { method: 'POST' })).status).toBe(404)
})
