import { Pool } from 'pg'
import type { Log } from '../ports/log.ts'
import { valueParsers } from './value-parsers.ts'

export type PoolOptions = {
  readonly databaseUrl: string
  readonly log: Log
  readonly maxConnections?: number
}

/**
 * Together these make a lost or overloaded PostgreSQL known within five seconds: a wait for a connection ends first,
 * then a wait for a lock, then a statement on the server, then an answer that never comes.
 */
const patience = {
  connectionMs: 1_000,
  lockMs: 2_000,
  statementMs: 3_500,
  answerMs: 4_000,
  idleInTransactionMs: 5_000,
} as const

const sessionSettings = [
  'timezone=UTC',
  // Compiling a plan never pays for statements as short as ours.
  'jit=off',
  // Disks of today find any page about as fast as the next one; the default would rather read whole tables.
  'random_page_cost=1.1',
  // Words of six letters with two of them swapped share no more than a quarter of their parts.
  'pg_trgm.similarity_threshold=0.2',
]

export function openPool({ databaseUrl, log, maxConnections = 10 }: PoolOptions): Pool {
  const pool = new Pool({
    connectionString: databaseUrl,
    application_name: 'guildhall',
    max: maxConnections,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    connectionTimeoutMillis: patience.connectionMs,
    lock_timeout: patience.lockMs,
    statement_timeout: patience.statementMs,
    query_timeout: patience.answerMs,
    idle_in_transaction_session_timeout: patience.idleInTransactionMs,
    options: sessionSettings.map((setting) => `-c ${setting}`).join(' '),
    types: valueParsers,
    pipeline: true,
  })
  pool.on('error', (error) => log.warn('an idle database connection was lost', { error: error.message }))
  // A connection that is lost between two statements of a transaction tells its next statement, not the process.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}
