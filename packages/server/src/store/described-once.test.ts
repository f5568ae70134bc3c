import type { PoolClient } from 'pg'
import { expect, test } from 'vitest'
import { silentLog, storeBench } from '../../tests/support/store.ts'
import { openPool } from './connect.ts'
import { callStatement } from './described-once.ts'

const bench = storeBench()

async function withClient(work: (client: PoolClient) => Promise<void>) {
  const pool = openPool({ databaseUrl: bench.url, log: silentLog, maxConnections: 1 })
  const client = await pool.connect()
  try {
    await work(client)
  } finally {
    client.release()
    await pool.end()
  }
}

const several = {
  name: 'several',
  text: "select $1::int as nr, $2::bigint as amount, null::text as nothing, 'epoch'::timestamptz as at",
}

test('a statement gives the same rows when it is called again', () =>
  withClient(async (client) => {
    const row = (nr: number) => ({ nr, amount: BigInt(nr), nothing: null, at: 0 })
    for (const nr of [1, 2, 3]) {
      const { rows, rowCount } = await callStatement(client, { ...several, values: [nr, nr] })
      expect({ rows, rowCount }).toEqual({ rows: [row(nr)], rowCount: 1 })
    }
  }))

test('what its rows look like is asked for once on a connection', () =>
  withClient(async (client) => {
    const wire = (client as unknown as { connection: { describe(portal: unknown): void } }).connection
    const describe = wire.describe.bind(wire)
    let asked = 0
    wire.describe = (portal) => {
      asked++
      describe(portal)
    }
    for (const nr of [1, 2, 3]) await callStatement(client, { ...several, values: [nr, nr] })
    expect(asked).toBe(1)
  }))

test('calls may follow each other without waiting, also before the first is answered', () =>
  withClient(async (client) => {
    const calls = [1, 2, 3, 4].map((nr) => callStatement(client, { ...several, values: [nr, nr] }))
    expect((await Promise.all(calls)).map(({ rows }) => rows[0].nr)).toEqual([1, 2, 3, 4])
  }))

test('a query without matches and a statement without rows give no rows', () =>
  withClient(async (client) => {
    const none = { name: 'none', text: 'select 1 as one where $1::boolean' }
    for (const [wanted, count] of [
      [false, 0],
      [true, 1],
      [false, 0],
    ] as const) {
      const { rows, rowCount } = await callStatement(client, { ...none, values: [wanted] })
      expect([rows.length, rowCount]).toEqual([count, count])
    }
    await client.query('create temporary table kept (nr int)')
    const insert = { name: 'insert', text: 'insert into kept values ($1)' }
    for (const nr of [1, 2]) expect((await callStatement(client, { ...insert, values: [nr] })).rowCount).toBe(1)
  }))

test('a statement that fails fails for its caller alone, and works again afterwards', () =>
  withClient(async (client) => {
    const share = { name: 'share', text: 'select 1 / $1::int as share' }
    for (let round = 0; round < 3; round++) {
      await expect(callStatement(client, { ...share, values: [0] })).rejects.toThrow('division by zero')
      expect((await callStatement(client, { ...share, values: [1] })).rows).toEqual([{ share: 1 }])
    }
  }))
