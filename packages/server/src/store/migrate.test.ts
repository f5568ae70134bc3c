import { randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { expect, inject, test } from 'vitest'
import { freshDatabase } from '../../tests/support/database.ts'
import { urlOf } from '../../tests/support/database-url.ts'
import { silentLog } from '../../tests/support/store.ts'
import { until } from '../../tests/support/until.ts'
import { StoreUnavailableError } from '../domain/store-unavailable.ts'
import { ChangedMigrationError, migrate } from './migrate.ts'
import { migrationOf } from './migration-files.ts'
import { createPostgresStore } from './postgres-store.ts'

const ours = (await readdir(join(import.meta.dirname, 'migrations'))).sort()

async function onDatabase<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

test('several nodes that migrate at once apply every file once, in order', async () => {
  const { adminUrl } = inject('database')
  const name = `empty_${process.pid}`
  const url = urlOf(adminUrl, name)
  await onDatabase(adminUrl, (client) => client.query(`create database ${name}`))
  try {
    const store = createPostgresStore({ databaseUrl: url, log: silentLog })
    expect(await store.ready()).toBe(false)
    const applied = await Promise.all([1, 2, 3, 4].map(() => migrate(url, silentLog)))
    expect(applied.flat().sort()).toEqual(ours)
    expect(await migrate(url, silentLog)).toEqual([])
    expect(await store.ready()).toBe(true)
    await store.close()
  } finally {
    await onDatabase(adminUrl, (client) => client.query(`drop database ${name} with (force)`))
  }
})

test('a file that was changed after it had been applied is refused', async () => {
  const { url, drop } = await freshDatabase()
  await onDatabase(url, (client) => client.query('update migrations set hash = $1 where name = $2', ['?', ours[1]]))
  const refused = await migrate(url, silentLog).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(ChangedMigrationError)
  expect(String(refused)).toContain(`Migration ${ours[1]} was changed`)
  await drop()
})

test('a database that cannot be written to is not available', async () => {
  const { url, drop } = await freshDatabase()
  const readOnly = new URL(url)
  readOnly.searchParams.set('options', '-c default_transaction_read_only=on')
  await expect(migrate(readOnly.href, silentLog)).rejects.toEqual(
    new StoreUnavailableError('cannot execute CREATE TABLE in a read-only transaction'),
  )
  await drop()
})

test('a node is ready on a newer schema, and not on an older one', async () => {
  const { url, drop } = await freshDatabase()
  const store = createPostgresStore({ databaseUrl: url, log: silentLog })
  await onDatabase(url, (client) => client.query(`insert into migrations values ('9999-later.sql', '')`))
  expect(await store.ready()).toBe(true)
  await onDatabase(url, (client) => client.query('delete from migrations where name = $1', [ours.at(-1)]))
  expect(await store.ready()).toBe(false)
  await store.close()
  await drop()
})

test('a node is not ready without the tables that keep a signature from being used twice', async () => {
  const { url, drop } = await freshDatabase()
  const store = createPostgresStore({ databaseUrl: url, log: silentLog })
  expect(await store.ready()).toBe(true)
  await onDatabase(url, (client) => client.query('drop table burnt_signatures'))
  expect(await store.ready()).toBe(false)
  expect(await store.whyNotReady()).toContain('lacks burnt_signatures')
  await store.close()
  await drop()
})

test('a role that may not read the schema is not sent to migrate it', async () => {
  const { url, drop } = await freshDatabase()
  // Roles belong to the server, not to the database: one that a failed run has left behind must not be in the way.
  const stranger = `stranger_${randomUUID().replaceAll('-', '')}`
  await onDatabase(url, (client) => client.query(`create role ${stranger} login`))
  const asStranger = new URL(url)
  asStranger.username = stranger
  const store = createPostgresStore({ databaseUrl: asStranger.href, log: silentLog })
  expect(await store.whyNotReady()).toBe(
    'The role in DATABASE_URL lacks a right: permission denied for table migrations.',
  )
  await store.close()
  await onDatabase(url, (client) => client.query(`drop role ${stranger}`))
  await drop()
})

/** A database with a table that others use, and a way to use it until told to stop. */
async function busyTable() {
  const { url, drop } = await freshDatabase()
  const user = new Client({ connectionString: url })
  await user.connect()
  await user.query('create table shelf (book text)')
  await user.query('begin')
  await user.query(`insert into shelf values ('under way')`)
  return {
    url,
    async drop() {
      await user.end()
      await drop()
    },
    letGo: () => user.query('commit'),
  }
}

const patience = { lockMs: 50, pauseMs: 10, attempts: 500 }

test('a change of a table in use lets those who use it go on, and is made when they are done', async () => {
  const table = await busyTable()
  const tries: unknown[] = []
  const warn = (message: string) => void tries.push(message)
  const migrations = [migrationOf('9998-shelf.sql', 'alter table shelf add column lent boolean')]
  const migrating = migrate(table.url, { ...silentLog, warn }, { migrations, patience })
  await until(
    async () => tries.length,
    (count) => count >= 2,
  )
  await onDatabase(table.url, (client) => client.query(`insert into shelf values ('beside')`))
  await table.letGo()
  expect(await migrating).toEqual(['9998-shelf.sql'])
  const books = await onDatabase(table.url, (client) => client.query('select book, lent from shelf order by book'))
  expect(books.rows).toEqual([
    { book: 'beside', lent: null },
    { book: 'under way', lent: null },
  ])
  await table.drop()
})

test('an index is built beside those who write, however many wait to migrate, and again when a first attempt broke off', async () => {
  const table = await busyTable()
  const sql =
    'drop index concurrently if exists shelf_by_book;\ncreate unique index concurrently shelf_by_book on shelf (book);\n'
  const migrations = [migrationOf('9998-shelf.sql', sql)]
  const migrating = Promise.allSettled([1, 2, 3].map(() => migrate(table.url, silentLog, { migrations, patience })))
  await until(
    () => onDatabase(table.url, (client) => client.query(`select 1 from pg_class where relname = 'shelf_by_book'`)),
    ({ rowCount }) => rowCount === 1,
  )
  await onDatabase(table.url, (client) => client.query(`insert into shelf values ('under way')`))
  await table.letGo()
  expect((await migrating).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])

  await onDatabase(table.url, (client) => client.query('delete from shelf'))
  expect(await migrate(table.url, silentLog, { migrations, patience })).toEqual(['9998-shelf.sql'])
  const index = `select indisvalid from pg_index where indexrelid = 'shelf_by_book'::regclass`
  expect((await onDatabase(table.url, (client) => client.query(index))).rows).toEqual([{ indisvalid: true }])
  await table.drop()
})

test('a migration that dies half-way leaves whole files only, and the next one goes on from there', async () => {
  const { adminUrl } = inject('database')
  const name = `cut_${process.pid}`
  const url = urlOf(adminUrl, name)
  await onDatabase(adminUrl, (client) => client.query(`create database ${name}`))
  try {
    await onDatabase(url, async (client) => {
      await client.query('create table migrations (name text primary key, hash text not null)')
      let applied = 0
      for (let cut = 0; cut < 5; cut++) {
        const migrating = migrate(url, silentLog).catch((error: unknown) => error)
        await until(
          async () => (await client.query('select count(*)::int as count from migrations')).rows[0].count as number,
          (count) => count > applied || count === ours.length,
        )
        await client.query(`
          select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'guildhall migrate' and datname = '${name}'`)
        await migrating
        applied = (await client.query('select count(*)::int as count from migrations')).rows[0].count
      }
    })
    await migrate(url, silentLog)
    expect(await migrate(url, silentLog)).toEqual([])
    const store = createPostgresStore({ databaseUrl: url, log: silentLog })
    expect(await store.ready()).toBe(true)
    await store.close()
  } finally {
    await onDatabase(adminUrl, (client) => client.query(`drop database ${name} with (force)`))
  }
})
