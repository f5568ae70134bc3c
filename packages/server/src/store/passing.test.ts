import { expect, test } from 'vitest'
import { NOW } from '../../tests/support/samples.ts'
import { storeBench } from '../../tests/support/store.ts'

const bench = storeBench()
const MINUTE = 60_000

test('hits of all nodes count in one window, and a new window starts at one', async () => {
  const hit = (store: typeof bench.store, start = NOW) =>
    store.transaction((tx) => tx.hit('register:192.0.2.1', start, start + MINUTE))
  const hits = await Promise.all(Array.from({ length: 10 }, (_, i) => hit(i % 2 ? bench.store : bench.other)))
  expect(hits.sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  expect(await hit(bench.store, NOW + MINUTE)).toBe(1)
})

test('what has expired is forgotten, the rest is not', async () => {
  await bench.sql.query('truncate rate_windows')
  await bench.store.transaction(async (tx) => {
    for (let byte = 0; byte < 5; byte++) await tx.burnSignature(new Uint8Array(32).fill(byte), NOW + byte)
    await tx.saveChallenge({ id: 'c1', publicKey: 'k1', text: '', difficulty: 1, expiresAt: NOW })
    await tx.saveChallenge({ id: 'c2', publicKey: 'k2', text: '', difficulty: 1, expiresAt: NOW + 9 })
    await tx.hit('old', NOW - MINUTE, NOW)
    await tx.hit('current', NOW, NOW + MINUTE)
  })
  expect(await bench.store.transaction((tx) => tx.forgetExpired(NOW + 2))).toBe(5)
  expect(await bench.store.transaction((tx) => tx.forgetExpired(NOW + 2))).toBe(0)
  const left = await bench.sql.query<{ n: number }>(
    'select (select count(*) from burnt_signatures)::int + (select count(*) from rate_windows)::int as n',
  )
  expect(left.rows[0]?.n).toBe(3)
  expect(await bench.store.transaction((tx) => tx.takeChallenge('c2'))).not.toBeNull()
})
