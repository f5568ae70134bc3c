import { Pool } from 'pg'
import type { Log } from '../ports/log.ts'
import { sessionSettings } from './session-settings.ts'
import { valueParsers } from './value-parsers.ts'

export type PoolOptions = {
  readonly databaseUrl: string
  readonly log: Log
  readonly maxConnections?: number
  /** For reading alone, then also from a copy that lags behind by no more than this. */
  readonly maxLagMs?: number | null
}

/** How long the driver waits: less than the server for a connection, a little more than it for an answer. */
const patience = { connectionMs: 1_000, answerMs: 4_000 } as const

const readOnly = { default_transaction_read_only: 'on' }

export function openPool({ databaseUrl, log, maxConnections = 10, maxLagMs = null }: PoolOptions): Pool {
  const pool = new Pool({
    connectionString: databaseUrl,
    application_name: 'guildhall',
    max: maxConnections,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    connectionTimeoutMillis: patience.connectionMs,
    query_timeout: patience.answerMs,
    options: Object.entries({ ...sessionSettings, ...(maxLagMs === null ? {} : readOnly) })
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
    types: valueParsers,
    pipeline: true,
  })
  pool.on('error', (error) => log.warn('an idle database connection was lost', { error: error.message }))
  // A connection that is lost between two statements of a transaction tells its next statement, not the process.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}
