import { DatabaseError } from 'pg'
import { expect, test } from 'vitest'
import { silentLog } from '../../tests/support/store.ts'
import { StoreUnavailableError } from '../domain/store-unavailable.ts'
import { startLoop } from '../jobs/start-loop.ts'
import { isStoreLost, noConnection } from './failures.ts'
import { createPostgresStore } from './postgres-store.ts'

test('what the jobs log about a database that they cannot reach has the cause in `error`', async () => {
  const store = createPostgresStore({ databaseUrl: 'postgresql://guildhall@127.0.0.1:1/guildhall', log: silentLog })
  const logged = await new Promise((resolve) => {
    const log = { ...silentLog, warn: (_: string, fields?: object) => resolve(fields) }
    const loop = startLoop(log, 'trouble', 250, async () => (await store.ledgerHead())?.sequence ?? 0)
    void loop.stop()
  })
  expect(logged).toEqual({
    error: 'No connection to PostgreSQL could be had. (connect ECONNREFUSED 127.0.0.1:1)',
  })
  await store.close()
})

test('where a name has several addresses, each says why it does not answer', () => {
  const tried = [new Error('connect ECONNREFUSED ::1:5432'), new Error('connect ECONNREFUSED 127.0.0.1:5432')]
  expect(noConnection(new AggregateError(tried)).message).toBe(
    'No connection to PostgreSQL could be had. (connect ECONNREFUSED ::1:5432, connect ECONNREFUSED 127.0.0.1:5432)',
  )
})

test('a change that waited for a lock in vain may be run again, unless it may have been written', () => {
  const cause = Object.assign(new DatabaseError('canceling statement due to lock timeout', 0, 'error'), {
    code: '55P03',
  })
  expect(isStoreLost(new StoreUnavailableError(cause.message, { cause }))).toBe(false)
  expect(isStoreLost(new StoreUnavailableError(cause.message, { cause, maybeWritten: true }))).toBe(true)
})
