import { Pool } from 'pg'
import type { Log } from '../ports/log.ts'
import { cutWhenSilent } from './cut-when-silent.ts'
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

/** Of the connections for requests so many are for those who only read. */
const READING = 0.3

/**
 * A pool for each kind of wait: a transaction holds its connection until the disk has it, which may take long, and whoever only
 * reads would stand behind it; those who wait for their seal would keep the sealer waiting.
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
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    connectionTimeoutMillis: patience.connectionMs,
    options: Object.entries({ ...sessionSettings, ...(maxLagMs === null ? {} : readOnly) })
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
    types: valueParsers,
    pipeline: true,
  })
  pool.on('error', (error) => log.warn('an idle database connection was lost', { error: error.message }))
  // A connection that is lost between two statements of a transaction tells its next statement, not the process.
  pool.on('connect', (client) => client.on('error', () => {}))
  pool.on('connect', (client) => cutWhenSilent(client, patience.answerMs))
  return pool
}
