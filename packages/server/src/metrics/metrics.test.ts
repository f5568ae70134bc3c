import { expect, onTestFinished, test } from 'vitest'
import { NOW } from '../../tests/support/samples.ts'
import { silentLog, storeBench } from '../../tests/support/store.ts'
import { createPostgresStore } from '../store/postgres-store.ts'
import { createMetrics } from './create-metrics.ts'
import { serveMetrics } from './serve-metrics.ts'

const bench = storeBench()
const DAY_LATER = NOW + 86_400_000

async function scrapedAt(now: number) {
  const store = createPostgresStore({ databaseUrl: bench.url, log: silentLog })
  const metrics = createMetrics({
    figures: () => store.figures.figures(now),
    pool: store.figures.pool,
    openStreams: () => 7,
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

test('what waits shows, and how long the oldest of it has waited', async () => {
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

test('a node without its database still answers, and says so', async () => {
  const metrics = createMetrics({
    figures: () => Promise.reject(new Error('no database')),
    pool: () => ({ open: 0, idle: 0, waiting: 3 }),
    openStreams: () => 0,
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
