import { DAY, HOUR } from '@guildhall/protocol'
import { beforeAll, expect, test } from 'vitest'
import { NOW, sampleTask } from '../../tests/support/samples.ts'
import { addAgent, storeBench } from '../../tests/support/store.ts'
import { until } from '../../tests/support/until.ts'
import { keepSettledDays } from '../actions/feed/keep-settled-days.ts'
import { createSettledSamples } from '../actions/feed/settled-samples.ts'
import { stageTimes } from '../domain/settled/stage-times.ts'
import type { Task } from '../domain/task/task.ts'
import type { Store } from '../ports/store.ts'

const bench = storeBench()
const DAYS = 12
const today = Math.floor(NOW / DAY)
const world = (store: Store) => ({ store, clock: { now: () => NOW } })

/** Each node remembers for itself. */
const timesSince = async (days: number, store = bench.store) =>
  stageTimes(await createSettledSamples(world(store))(NOW - days * DAY))

const keepAll = async (store = bench.store) => {
  while ((await keepSettledDays(world(store))) > 0);
}

const paid = (nr: number, worker: string): Task => {
  const settledAt = NOW - (nr % DAYS) * DAY - nr * HOUR
  return sampleTask({
    id: `task_${String(nr).padStart(20, '0')}`,
    status: 'verified',
    claimedBy: worker,
    bounty: { amount: 1_000_000n, network: 'eip155:8453' },
    paymentStatus: 'settled',
    paymentTx: `0x${'ab'.repeat(32)}`,
    createdAt: settledAt - 60_000 - nr * 1_001,
    claimedAt: nr % 3 === 0 ? null : settledAt - 40_000 - nr * 7,
    firstSubmittedAt: settledAt - 20_000 - nr,
    verifiedAt: settledAt - 1,
    settledAt,
  })
}

beforeAll(async () => {
  await bench.store.transaction(async (tx) => {
    const { id } = await addAgent(tx)
    for (let nr = 0; nr < 60; nr++) {
      const task = paid(nr, id)
      await tx.insertTask({ ...task, creator: { kind: 'agent', id } })
    }
  })
})

test('what is kept by the day are the samples of the tasks, to the millisecond', async () => {
  const before = await Promise.all([3, 7, 30].map((days) => timesSince(days)))
  await Promise.all([keepAll(bench.store), keepAll(bench.other)])
  expect(await bench.store.keptDays()).toEqual({ through: today - 2, givenUp: 0 })
  const read = await bench.store.stageSamples((today - 20) * DAY, (today - 1) * DAY)
  const kept = await bench.store.keptSamples(0, today)
  expect(kept.size).toBeGreaterThan(DAYS - 3)
  expect(new Map([...kept].sort())).toEqual(new Map([...read].sort()))
  expect(await Promise.all([3, 7, 30].map((days) => timesSince(days)))).toEqual(before)
})

test('a day on which something may still change is never kept', async () => {
  const kept = await bench.store.keptSamples(0, today + 1)
  expect(Math.max(...kept.keys())).toBe(today - 2)
})

/** The payment of a task is reorged away. */
const takeBack = (nr: number) =>
  bench.store.transaction(async (tx) => {
    const task = await tx.lockTask(paid(nr, '').id)
    if (!task?.settledAt) throw new Error('the task is paid')
    await tx.saveTask({ ...task, paymentStatus: 'settling', paymentTx: null, settledAt: null })
    await tx.giveUpDay(Math.floor(task.settledAt / DAY))
  })

/** Counts the paid tasks on a node that remembers what it has read. */
function remembering() {
  const samplesSince = createSettledSamples(world(bench.other))
  return async () => stageTimes(await samplesSince(NOW - 30 * DAY)).tasks
}

test('a stored day is dropped, also from memory, when one of its payments is reorged away', async () => {
  const tasks = remembering()
  const before = await tasks()
  await takeBack(5)
  expect(await tasks()).toBe(before - 1)
  await keepAll()
  expect(await tasks()).toBe(before - 1)
  expect((await bench.store.keptDays()).givenUp).toBe(1)
})

test('a day that a node remembers, but that is not stored yet, is dropped from memory as well', async () => {
  await bench.sql.query('delete from settled_days')
  await bench.sql.query('update settled_days_kept set through = null')
  const tasks = remembering()
  const before = await tasks()
  await takeBack(6)
  expect(await tasks()).toBe(before - 1)
})

test('a payment that is reorged away while its day is being stored is not stored with it', async () => {
  await keepAll()
  const day = today - 1
  await bench.sql.query('begin')
  await bench.sql.query('update settled_days_kept set through = $1', [day])
  let isOver = false
  const givenUp = bench.store
    .transaction((tx) => tx.giveUpDay(day))
    .finally(() => {
      isOver = true
    })
  const waiting = `
    select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await until(
    async () => isOver || (await bench.sql.query<{ count: number }>(waiting)).rows[0]?.count,
    (seen) => seen === true || Number(seen) > 0,
  )
  await bench.sql.query('commit')
  await givenUp
  expect((await bench.store.keptDays()).through).toBe(day - 1)
})
