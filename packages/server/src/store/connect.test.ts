import { expect, test } from 'vitest'
import { databaseLine } from '../../tests/support/database-line.ts'
import { sampleTask } from '../../tests/support/samples.ts'
import { gate, silentLog, storeBench } from '../../tests/support/store.ts'
import { until } from '../../tests/support/until.ts'
import { StoreUnavailableError } from '../domain/store-unavailable.ts'
import { createPostgresStore } from './postgres-store.ts'

const bench = storeBench()

/** How long it takes until the caller is told that the store is not available. */
async function refusedAfterMs(work: Promise<unknown>): Promise<number> {
  const started = performance.now()
  await expect(work).rejects.toBeInstanceOf(StoreUnavailableError)
  return performance.now() - started
}

/** A machine that is busy with something else may be late now and then. */
const within = (ms: number, measure: () => Promise<number>) => until(measure, (taken) => taken < ms)

test('while all connections for changes are taken, a change is refused, and reads are answered', async () => {
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
  await refusedAfterMs(store.transaction((tx) => tx.task('task_1')))
  done.open()
  await holder
  expect(await store.transaction((tx) => tx.task('task_1'))).toBeNull()
  await store.close()
})

test('a server that is not there is known at once', async () => {
  const store = createPostgresStore({ databaseUrl: 'postgresql://guildhall@127.0.0.1:1/guildhall', log: silentLog })
  await within(2_500, () => refusedAfterMs(store.transaction((tx) => tx.insertTask(sampleTask()))))
  expect(await store.ready()).toBe(false)
  await store.close()
})

test('a server that falls silent is known within five seconds, and is used again when it is back', async () => {
  const line = await databaseLine(bench.url)
  const store = createPostgresStore({ databaseUrl: line.url, log: silentLog })
  await within(5_000, async () => {
    await until(store.ready, Boolean)
    line.fallSilent()
    const ms = await refusedAfterMs(store.task('task_1'))
    line.speakAgain()
    return ms
  })
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
