import { expect, test } from 'vitest'
import { databaseLine } from '../../tests/support/database-line.ts'
import { sampleTask } from '../../tests/support/samples.ts'
import { gate, silentLog, storeBench } from '../../tests/support/store.ts'
import { StoreUnavailableError } from '../domain/store-unavailable.ts'
import { createPostgresStore } from './postgres-store.ts'

const bench = storeBench()

async function timed(work: Promise<unknown>): Promise<{ readonly error: unknown; readonly ms: number }> {
  const started = performance.now()
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  return { error, ms: performance.now() - started }
}

test('when all connections for changes are taken, a change is refused within about a second, and reads are answered', async () => {
  const store = createPostgresStore({ databaseUrl: bench.url, log: silentLog, maxConnections: 1 })
  const taken = gate()
  const done = gate()
  const holder = store.transaction(async (tx) => {
    await tx.task('task_1')
    taken.open()
    await done.opened
  })
  await taken.opened
  expect(await store.task('task_1')).toBeNull()
  const { error, ms } = await timed(store.transaction((tx) => tx.task('task_1')))
  expect(error).toBeInstanceOf(StoreUnavailableError)
  expect(ms).toBeLessThan(2_500)
  done.open()
  await holder
  expect(await store.transaction((tx) => tx.task('task_1'))).toBeNull()
  await store.close()
})

test('a server that is not there is known at once', async () => {
  const store = createPostgresStore({ databaseUrl: 'postgresql://guildhall@127.0.0.1:1/guildhall', log: silentLog })
  const { error, ms } = await timed(store.transaction((tx) => tx.insertTask(sampleTask())))
  expect(error).toBeInstanceOf(StoreUnavailableError)
  expect(ms).toBeLessThan(2_500)
  expect(await store.ready()).toBe(false)
  await store.close()
})

test('a server that falls silent is known within five seconds, and is used again when it is back', async () => {
  const line = await databaseLine(bench.url)
  const store = createPostgresStore({ databaseUrl: line.url, log: silentLog })
  expect(await store.ready()).toBe(true)
  line.fallSilent()
  const { error, ms } = await timed(store.task('task_1'))
  expect(error).toBeInstanceOf(StoreUnavailableError)
  expect(ms).toBeLessThan(5_000)
  line.speakAgain()
  expect(await store.task('task_1')).toBeNull()
  await store.close()
  await line.close()
})

test('idle connections that the server ends cause no error', async () => {
  await Promise.all(Array.from({ length: 5 }, () => bench.other.task('task_1')))
  await bench.sql.query(`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'guildhall'`)
  let answer: unknown = 'none yet'
  for (let attempt = 0; attempt < 20 && answer !== null; attempt++) {
    answer = await bench.other.task('task_1').catch((error: unknown) => error)
  }
  expect(answer).toBeNull()
})
