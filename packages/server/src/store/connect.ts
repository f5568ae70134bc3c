import { Pool } from 'pg'
import type { Log } from '../ports/log.ts'
import { cutWhenSilent } from './cut-when-silent.ts'
import { sessionSettings } from './session-settings.ts'
import { valueParsers } from './value-parsers.ts'

export type PoolOptions = {
  readonly databaseUrl: string
  readonly log: Log
  readonly maxConnections?: number
  /** When set, the pool is read-only and may be on a replica that lags by at most this. */
  readonly maxLagMs?: number | null
}

/**
 * Timeouts of the driver: for a connection shorter than the server's, for an answer slightly longer than the server's
 * statement_timeout. Idle connections are kept for long: PostgreSQL needs a tenth of a second of CPU to end one that has seen
 * gigabytes of shared memory.
 */
const patience = { connectionMs: 1_000, answerMs: 4_000, idleMs: 600_000 } as const

/** The share of the connections for requests that is reserved for reads. */
const READING = 0.3

/**
 * One pool per kind of wait: a transaction holds its connection until its commit is on disk, and reads must not queue for that;
 * callers who wait for their seal must not take the connections that the sealer needs.
 */
export function openPools(options: PoolOptions): { readers: Pool; writers: Pool; sealers: Pool; all: readonly Pool[] } {
  const { maxConnections = 10, maxLagMs = null } = options
  const forReading = maxLagMs === null ? Math.max(1, Math.floor(READING * maxConnections)) : maxConnections
  const readers = openPool({ ...options, maxConnections: forReading })
  const writers = openPool({ ...options, maxConnections: Math.max(1, maxConnections - forReading) })
  const sealers = openPool({ ...options, maxConnections: 2 })
  return { readers, writers, sealers, all: [readers, writers, sealers] }
}

const readOnly = { default_transaction_read_only: 'on' }

export function openPool({ databaseUrl, log, maxConnections = 10, maxLagMs = null }: PoolOptions): Pool {
  const pool = new Pool({
    connectionString: databaseUrl,
    application_name: 'guildhall',
    max: maxConnections,
    idleTimeoutMillis: patience.idleMs,
    keepAlive: true,
    connectionTimeoutMillis: patience.connectionMs,
    options: Object.entries({ ...sessionSettings, ...(maxLagMs === null ? {} : readOnly) })
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
    types: valueParsers,
    pipeline: true,
  })
  pool.on('error', (error) => log.warn('an idle database connection was lost', { error: error.message }))
  // When a connection is lost between two statements of a transaction, the next statement fails; the process must not crash.
  pool.on('connect', (client) => client.on('error', () => {}))
  pool.on('connect', (client) => cutWhenSilent(client, patience.answerMs))
  return pool
}
