import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Postgres, startPostgres } from '@guildhall/sandbox'
import type { Pool } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../stage/open-database.ts'
import { inBulk } from './in-bulk.ts'

let directory: string
let postgres: Postgres
let database: Pool

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'guildhall-bulk-'))
  postgres = await startPostgres({ dataDir: join(directory, 'postgres'), log: () => {} })
  database = openDatabase(postgres.url, 1)
  await database.query('create table things (name text); create index things_by_name on things (name)')
})

afterAll(async () => {
  await database.end()
  await postgres.stop()
  await rm(directory, { recursive: true })
})

const found = async () => {
  const things = await database.query('select name from things')
  const indexes = await database.query(`select from pg_indexes where tablename = 'things'`)
  return [things.rowCount, indexes.rowCount]
}

test('bulk writes leave the rows and the indexes', async () => {
  await inBulk(database, ['things'], async (client) => {
    await client.query(`insert into things values ('one')`)
  })
  expect(await found()).toEqual([1, 1])
})

test('bulk writes that fail leave nothing, and the pool can be used', async () => {
  const failing = inBulk(database, ['things'], async (client) => {
    await client.query(`insert into things values ('two')`)
    throw new Error('no more things')
  })
  await expect(failing).rejects.toThrow('no more things')
  expect(await found()).toEqual([1, 1])
})
