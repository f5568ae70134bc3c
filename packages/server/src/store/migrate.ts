import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import type { Log } from '../ports/log.ts'
import type { Connection } from './connection.ts'

const directory = join(import.meta.dirname, 'migrations')
/** Any number, as long as everybody who migrates this database takes the same. */
const LOCK = 7_402_026

type Migration = { readonly name: string; readonly sql: string; readonly hash: string }

/** Brings the schema up to date, one transaction a file; several at once wait for each other. Gives the files it applied. */
export async function migrate(databaseUrl: string, log: Log): Promise<readonly string[]> {
  const migrations = await ourMigrations()
  return withClient(databaseUrl, async (client) => {
    const applied: string[] = []
    for (const migration of migrations) {
      if (!(await applyOnce(client, migration))) continue
      log.info('the database was migrated', { migration: migration.name })
      applied.push(migration.name)
    }
    return applied
  })
}

/** Whether all our migrations are there. More than ours are fine: an older node works on a newer schema. */
export async function hasOurSchema(connection: Connection): Promise<boolean> {
  const names = await ourNames()
  const text = 'select count(*)::int as found from migrations where name = any($1)'
  return (await connection.first<{ found: number }>(text, [names]))?.found === names.length
}

/** Read once: what this process was started with is what it needs, whatever a newer version puts beside it. */
let names: Promise<string[]> | null = null

const ourNames = (): Promise<string[]> => {
  names ??= readdir(directory).then((files) => files.filter((name) => name.endsWith('.sql')).sort())
  return names
}

async function ourMigrations(): Promise<readonly Migration[]> {
  return Promise.all(
    (await ourNames()).map(async (name) => {
      const sql = await readFile(join(directory, name), 'utf8')
      return { name, sql, hash: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

async function applyOnce(client: Client, { name, sql, hash }: Migration): Promise<boolean> {
  await client.query('begin')
  try {
    await client.query('set local statement_timeout = 0; set local lock_timeout = 0')
    await client.query(`select pg_advisory_xact_lock(${LOCK})`)
    await client.query('create table if not exists migrations (name text primary key, hash text not null)')
    const { rows } = await client.query<{ hash: string }>('select hash from migrations where name = $1', [name])
    const known = rows[0]?.hash
    if (known !== undefined && known !== hash) {
      throw new Error(`Migration ${name} was changed after it had been applied. Add a new file instead.`)
    }
    if (known === undefined) {
      await client.query(sql)
      await client.query('insert into migrations (name, hash) values ($1, $2)', [name, hash])
    }
    await client.query('commit')
    return known === undefined
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

async function withClient<T>(databaseUrl: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: databaseUrl, application_name: 'guildhall migrate' })
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
