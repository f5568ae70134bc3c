import { expect, test } from 'vitest'
import { sampleTask } from '../../tests/support/samples.ts'
import { gate, silentLog, storeBench } from '../../tests/support/store.ts'
import { StoreUnavailableError } from '../domain/store-unavailable.ts'
import { openPool } from './connect.ts'
import { runTransaction } from './run-transaction.ts'

const bench = storeBench()

const killThoseInTransactions = () =>
  bench.sql.query(`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'guildhall' and state = 'idle in transaction'`)

const failure = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  )

test('what throws leaves nothing behind', async () => {
  const task = sampleTask()
  const work = bench.store.transaction(async (tx) => {
    await tx.insertTask(task)
    throw new RangeError('not like this')
  })
  await expect(work).rejects.toThrow(RangeError)
  expect(await bench.store.task(task.id)).toBeNull()
})

test('a failed statement that nobody noticed is noticed at the end', async () => {
  const task = sampleTask()
  const work = bench.store.transaction(async (tx) => {
    await tx.insertTask(task)
    await tx.insertTask(task).catch(() => {})
  })
  await expect(work).rejects.toThrow('failed unnoticed')
  expect(await bench.store.task(task.id)).toBeNull()
})

test('a connection lost within a transaction: nothing is written, the caller is told, the next call works', async () => {
  const task = sampleTask()
  const error = await failure(
    bench.store.transaction(async (tx) => {
      await tx.insertTask(task)
      await killThoseInTransactions()
      await tx.insertTask(sampleTask())
    }),
  )
  expect(error).toBeInstanceOf(StoreUnavailableError)
  expect(error).toMatchObject({ maybeWritten: false })
  expect(await bench.store.task(task.id)).toBeNull()
})

test('a connection lost before the commit is answered: the caller is told that it may have been written', async () => {
  const task = sampleTask()
  const error = await failure(
    bench.store.transaction(async (tx) => {
      await tx.insertTask(task)
      await killThoseInTransactions()
    }),
  )
  expect(error).toBeInstanceOf(StoreUnavailableError)
  expect(error).toMatchObject({ maybeWritten: true })
  expect(await bench.store.task(task.id)).toBeNull()
})

test('the loser of a deadlock runs again and both succeed', async () => {
  const [one, two] = [sampleTask(), sampleTask()]
  await bench.store.transaction(async (tx) => {
    await tx.insertTask(one)
    await tx.insertTask(two)
  })
  const bothHold = gate()
  let holding = 0
  let runs = 0
  const lockBoth = (store: typeof bench.store, first: string, second: string) =>
    store.transaction(async (tx) => {
      runs++
      await tx.lockTask(first)
      if (++holding === 2) bothHold.open()
      await bothHold.opened
      await tx.lockTask(second)
    })
  await Promise.all([lockBoth(bench.store, one.id, two.id), lockBoth(bench.other, two.id, one.id)])
  expect(runs).toBe(3)
})

test('a conflict without end is given up', async () => {
  const pool = openPool({ databaseUrl: bench.url, log: silentLog })
  let runs = 0
  const error = await failure(
    runTransaction(pool, async (connection) => {
      runs++
      await connection.change(`do $$ begin raise exception 'again' using errcode = '40001'; end $$`)
    }),
  )
  expect(error).toBeInstanceOf(StoreUnavailableError)
  expect(runs).toBe(6)
  await pool.end()
})

test('a wait for a lock has an end', async () => {
  const task = sampleTask()
  await bench.store.transaction((tx) => tx.insertTask(task))
  const held = gate()
  const done = gate()
  const holder = bench.store.transaction(async (tx) => {
    await tx.lockTask(task.id)
    held.open()
    await done.opened
  })
  await held.opened
  const error = await failure(bench.other.transaction((tx) => tx.lockTask(task.id)))
  expect(error).toBeInstanceOf(StoreUnavailableError)
  done.open()
  await holder
})
