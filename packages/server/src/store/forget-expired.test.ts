import { MINUTE } from '@guildhall/protocol'
import { expect, test } from 'vitest'
import { NOW } from '../../tests/support/samples.ts'
import { storeBench } from '../../tests/support/store.ts'
import { isoTime } from '../domain/instant.ts'

const bench = storeBench()
/** What nodes of the release before still count. */
const writeAsBefore = 'insert into rate_windows (key, window_start, hits, expires_at) values ($1, $2, 1, $3)'

test('what has expired is forgotten, the rest is not', async () => {
  await bench.store.transaction(async (tx) => {
    for (let byte = 0; byte < 5; byte++) await tx.burnSignature(new Uint8Array(32).fill(byte), NOW + byte)
    await tx.saveChallenge({ id: 'c1', publicKey: 'k1', text: '', difficulty: 1, expiresAt: NOW })
    await tx.saveChallenge({ id: 'c2', publicKey: 'k2', text: '', difficulty: 1, expiresAt: NOW + 9 })
    await tx.hit('old', NOW - MINUTE, MINUTE)
    await tx.hit('current', NOW, MINUTE)
  })
  await bench.sql.query(writeAsBefore, ['old', isoTime(NOW - MINUTE), isoTime(NOW)])
  expect(await bench.store.transaction((tx) => tx.forgetExpired(NOW + 2))).toBe(6)
  expect(await bench.store.transaction((tx) => tx.forgetExpired(NOW + 2))).toBe(0)
  const left = await bench.sql.query<{ n: number }>(
    'select (select count(*) from burnt_signatures)::int + (select count(*) from rate_counts)::int as n',
  )
  expect(left.rows[0]?.n).toBe(3)
  expect(await bench.store.transaction((tx) => tx.takeChallenge('c2'))).not.toBeNull()
})
