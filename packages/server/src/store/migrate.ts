import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { StoreUnavailableError } from '../domain/store-unavailable.ts'
import type { Log } from '../ports/log.ts'
import { isLockTimeout, noConnection, storeError } from './failures.ts'
import { isOneByOne, type Migration, ourMigrations, statementsOf } from './migration-files.ts'

/** Key of the advisory lock: arbitrary, but the same for every process that migrates this database. */
const LOCK = 7_402_026

/**
 * A migration waits `lockMs` for a table lock, then gives way for `pauseMs` and tries again. Requests queue behind the waiting
 * migration, and nodes wait two seconds for a lock at most.
 */
const usualPatience = { lockMs: 1_000, pauseMs: 2_000, attempts: 100 }
type Patience = typeof usualPatience
type Options = { readonly patience?: Patience; readonly migrations?: readonly Migration[] }

/** A landed file was edited: which of its two forms the database has can no longer be known. */
export class ChangedMigrationError extends Error {
  override readonly name = 'ChangedMigrationError'
}

/** Brings the schema up to date, one transaction per file; concurrent runs wait for each other. Returns the files it applied. */
export async function migrate(databaseUrl: string, log: Log, options: Options = {}): Promise<readonly string[]> {
  const { patience = usualPatience, migrations = await ourMigrations() } = options
  return inTurn(databaseUrl, async (client) => {
    await client.query('create table if not exists migrations (name text primary key, hash text not null)')
    const applied: string[] = []
    for (const migration of migrations) {
      if (await isApplied(client, migration)) continue
      await applyPatiently(client, migration, log, patience)
      log.info('the database was migrated', { migration: migration.name })
      applied.push(migration.name)
    }
    return applied
  }).catch((error: unknown) => {
    const isTold = error instanceof ChangedMigrationError || error instanceof StoreUnavailableError
    throw isTold ? error : storeError(error)
  })
}

/**
 * A second connection holds the advisory lock in an open transaction. The lock is polled, not waited for: a waiting statement
 * would block CREATE INDEX CONCURRENTLY.
 */
const inTurn = <T>(databaseUrl: string, work: (client: Client) => Promise<T>): Promise<T> =>
  withClient(databaseUrl, async (holder) => {
    await holder.query('begin')
    await holder.query('set local idle_in_transaction_session_timeout = 0')
    const ask = `select pg_try_advisory_xact_lock(${LOCK}) as mine`
    while (!(await holder.query<{ mine: boolean }>(ask)).rows[0]?.mine) await pause(100)
    return withClient(databaseUrl, work)
  })

async function isApplied(client: Client, { name, hash }: Migration): Promise<boolean> {
  const { rows } = await client.query<{ hash: string }>('select hash from migrations where name = $1', [name])
  const known = rows[0]?.hash
  if (known !== undefined && known !== hash) {
    throw new ChangedMigrationError(`Migration ${name} was changed after it had been applied. Add a new file instead.`)
  }
  return known !== undefined
}

async function applyPatiently(client: Client, migration: Migration, log: Log, patience: Patience): Promise<void> {
  const apply = isOneByOne(migration) ? applyOneByOne : applyAtOnce
  for (let attempt = 1; ; attempt++) {
    try {
      return await apply(client, migration, patience.lockMs)
    } catch (error) {
      if (!isLockTimeout(error) || attempt === patience.attempts) throw error
      log.warn('a table is in use: the migration is tried again', { migration: migration.name, attempt })
      await pause(patience.pauseMs)
    }
  }
}

const record = (client: Client, { name, hash }: Migration) =>
  client.query('insert into migrations (name, hash) values ($1, $2)', [name, hash])

async function applyAtOnce(client: Client, migration: Migration, lockMs: number): Promise<void> {
  await client.query('begin')
  try {
    await client.query(`set local statement_timeout = 0; set local lock_timeout = ${lockMs}`)
    await client.query(migration.sql)
    await record(client, migration)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

async function applyOneByOne(client: Client, migration: Migration): Promise<void> {
  await client.query('set statement_timeout = 0; set lock_timeout = 0')
  for (const statement of statementsOf(migration)) await client.query(statement)
  await record(client, migration)
}

async function withClient<T>(databaseUrl: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = await connected(databaseUrl).catch((cause: unknown) => {
    throw noConnection(cause)
  })
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** An address that cannot be read fails here, too, and not only a server that cannot be reached. */
async function connected(databaseUrl: string): Promise<Client> {
  const client = new Client({ connectionString: databaseUrl, application_name: 'guildhall migrate' })
  client.on('error', () => {})
  await client.connect()
  return client
}
