import { Client } from 'pg'
import { afterAll, beforeAll } from 'vitest'
import type { Agent } from '../../src/domain/agent/agent.ts'
import type { Store, Transaction } from '../../src/ports/store.ts'
import { createPostgresStore } from '../../src/store/postgres-store.ts'
import { type FreshDatabase, freshDatabase } from './database.ts'
import { sampleAgent } from './samples.ts'

export const silentLog = { info() {}, warn() {}, alarm() {} }

type PostgresStore = ReturnType<typeof createPostgresStore>

export type StoreBench = {
  readonly url: string
  /** Two nodes on one database. */
  readonly store: PostgresStore
  readonly other: PostgresStore
  /** A plain connection, to look behind the store's back or to stand in its way. */
  readonly sql: Client
}

/** A database of its own for the tests of one file. */
export function storeBench(): StoreBench {
  let database: FreshDatabase
  let bench: StoreBench
  beforeAll(async () => {
    database = await freshDatabase()
    const sql = new Client({ connectionString: database.url })
    await sql.connect()
    const open = () => createPostgresStore({ databaseUrl: database.url, log: silentLog })
    bench = { url: database.url, store: open(), other: open(), sql }
  })
  afterAll(async () => {
    await Promise.all([bench.store.close(), bench.other.close(), bench.sql.end()])
    await database.drop()
  })
  return {
    get url() {
      return bench.url
    },
    get store() {
      return bench.store
    },
    get other() {
      return bench.other
    },
    get sql() {
      return bench.sql
    },
  }
}

/** Cuts the connections of the stores that are between two statements of a transaction. */
export const killThoseInTransactions = ({ sql }: StoreBench) =>
  sql.query(`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'guildhall' and state = 'idle in transaction'`)

/** Writes an agent under a name of its own. */
export async function addAgent(tx: Transaction, changes: Partial<Agent> = {}): Promise<Agent> {
  const agent = sampleAgent(changes)
  await tx.insertAgent(agent, agent.profile.name.toLowerCase())
  return agent
}

/** Writes an agent that tasks for these capabilities suit; returns its id. */
export const addCapableAgent = (store: Store, capabilities: readonly string[]): Promise<string> =>
  store.transaction(async (tx) => {
    const agent = await addAgent(tx)
    await tx.updateProfile(agent.id, { ...agent.profile, capabilities }, agent.profile.name.toLowerCase())
    return agent.id
  })

/** A promise and the way to keep it: lets a test decide when a transaction goes on. */
export function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}
