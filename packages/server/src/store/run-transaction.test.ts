import type { Writable } from 'node:stream'
import { expect, test, vi } from 'vitest'
import { sampleTask } from '../../tests/support/samples.ts'
import { gate, killThoseInTransactions, silentLog, storeBench } from '../../tests/support/store.ts'
import { StoreUnavailableError } from '../domain/store-unavailable.ts'
import type { Transaction } from '../ports/store.ts'
import { openPool } from './connect.ts'
import { runTransaction } from './run-transaction.ts'
import { statementName } from './statement-name.ts'

const bench = storeBench()

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

test.each(['committed', 'taken back'])('a transaction that was %s takes nothing more', async (ended) => {
  const task = sampleTask()
  let over: Transaction | undefined
  const work = bench.store.transaction(async (tx) => {
    over = tx
    await tx.lockTask(task.id)
    if (ended === 'taken back') throw new RangeError('not like this')
  })
  await work.catch(() => {})
  await expect(over?.insertTask(task)).rejects.toThrow('This transaction is over.')
  await expect(over?.lockTask(task.id)).rejects.toThrow('This transaction is over.')
  expect(await bench.store.task(task.id)).toBeNull()
})

test('a failed statement that nobody noticed is noticed at the end', async () => {
  const task = sampleTask()
  const work = bench.store.transaction(async (tx) => {
    await tx.insertTask(task)
    await tx.insertTask(task)
    await tx.lockTask(task.id).catch(() => {})
  })
  await expect(work).rejects.toThrow('failed unnoticed')
  expect(await bench.store.task(task.id)).toBeNull()
})

test('a write that nobody waits for ends the transaction with its error', async () => {
  const task = sampleTask()
  const twice = async (tx: Transaction) => {
    await tx.insertTask(task)
    await tx.insertTask(task)
  }
  await expect(bench.store.transaction(twice)).rejects.toThrow('duplicate key')
  const asked = bench.store.transaction(async (tx) => {
    await twice(tx)
    return tx.task(task.id)
  })
  await expect(asked).rejects.toThrow('duplicate key')
  expect(await bench.store.task(task.id)).toBeNull()
})

test('a wait for a lock that ends in the round of the commit has surely written nothing', async () => {
  const [held, mine] = [sampleTask(), sampleTask()]
  await bench.store.transaction((tx) => tx.insertTask(held))
  const [holding, done] = [gate(), gate()]
  const holder = bench.store.transaction(async (tx) => {
    await tx.lockTask(held.id)
    holding.open()
    await done.opened
  })
  await holding.opened
  const pool = openPool({ databaseUrl: bench.url, log: silentLog })
  const error = await failure(
    runTransaction(pool, async (connection) => {
      await connection.write('update tasks set announced = true where id = $1', [held.id])
      await connection.write('insert into burnt_wallet_nonces (purpose, nonce, used_at) values ($1, $2, now())', [
        'x',
        mine.id,
      ])
    }),
  )
  expect(error).toBeInstanceOf(StoreUnavailableError)
  expect(error).toMatchObject({ maybeWritten: false })
  done.open()
  await holder
  await pool.end()
})

test('what is asked for before anybody waits is one round', async () => {
  const pool = openPool({ databaseUrl: bench.url, log: silentLog, maxConnections: 1 })
  const client = await pool.connect()
  const { stream } = (client as unknown as { connection: { stream: Writable } }).connection
  const uncork = vi.spyOn(stream, 'uncork')
  client.release()
  const nrs = await runTransaction(pool, async (connection) => {
    await connection.write('create temporary table kept (nr int)')
    await connection.write('insert into kept values ($1)', [1])
    return Promise.all([1, 2].map((nr) => connection.first('select $1::int + count(*)::int as nr from kept', [nr])))
  })
  expect(nrs).toEqual([{ nr: 2 }, { nr: 3 }])
  expect(uncork).toHaveBeenCalledTimes(2)
  await pool.end()
})

test('a statement that was skipped after an error is prepared the next time', async () => {
  const pool = openPool({ databaseUrl: bench.url, log: silentLog, maxConnections: 1 })
  const both = (divisor: number) =>
    runTransaction(pool, async (connection) => {
      await connection.write('select 1 / $1::int', [divisor])
      return connection.first("select 'reached' as it")
    })
  await expect(both(0)).rejects.toThrow('division by zero')
  await expect(both(0)).rejects.toThrow('division by zero')
  expect(await both(1)).toEqual({ it: 'reached' })
  expect(await both(1)).toEqual({ it: 'reached' })
  await pool.end()
})

test('a statement that was skipped after an error is closed before its name is used again, which poolers ask for', async () => {
  const pool = openPool({ databaseUrl: bench.url, log: silentLog, maxConnections: 1 })
  const client = await pool.connect()
  const { connection: wire } = client as unknown as {
    connection: Record<'close' | 'parse', (statement: { readonly name: string }) => void>
  }
  const told: string[] = []
  for (const message of ['close', 'parse'] as const) {
    const tell = wire[message].bind(wire)
    wire[message] = (statement) => {
      told.push(`${message} ${statement.name}`)
      tell(statement)
    }
  }
  client.release()
  const division = 'select 1 / $1::int'
  const divideBy = (divisor: number) => runTransaction(pool, (connection) => connection.write(division, [divisor]))
  await expect(divideBy(0)).rejects.toThrow('division by zero')
  await divideBy(1)
  await divideBy(1)
  expect(told.filter((message) => message !== 'parse ')).toEqual([
    'parse BEGIN',
    `parse ${statementName(division)}`,
    'parse COMMIT',
    'close COMMIT',
    'parse COMMIT',
  ])
  await pool.end()
})

test('a connection lost within a transaction: nothing is written, the caller is told, the next call works', async () => {
  const task = sampleTask()
  const error = await failure(
    bench.store.transaction(async (tx) => {
      await tx.insertTask(task)
      await tx.lockTask(task.id)
      await killThoseInTransactions(bench)
      await tx.lockTask(task.id)
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
      await tx.lockTask(task.id)
      await killThoseInTransactions(bench)
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
  // On a busy machine the winner may wait for too long, and run again as well.
  expect(runs).toBeGreaterThanOrEqual(3)
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
