import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { expect, inject, test } from 'vitest'
import { freshDatabase } from '../../tests/support/database.ts'
import { urlOf } from '../../tests/support/database-url.ts'
import { silentLog } from '../../tests/support/store.ts'
import { migrate } from './migrate.ts'
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
  await expect(migrate(url, silentLog)).rejects.toThrow(`Migration ${ours[1]} was changed`)
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
