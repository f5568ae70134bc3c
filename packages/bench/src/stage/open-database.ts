import { Pool } from 'pg'

/**
 * Connections to a database that the bench itself starts and stops. A pool's `end` does not wait until the server has let go of
 * them, so one that stops right afterwards may still say so on a connection; nobody needs to hear it, and it must not be thrown.
 *
 * Idle ones stay open: when a connection that has seen gigabytes of shared memory ends, PostgreSQL needs a core for a tenth of a
 * second, in the middle of a measurement.
 */
export function openDatabase(url: string, connections: number): Pool {
  const database = new Pool({ connectionString: url, max: connections, idleTimeoutMillis: 0 })
  database.on('error', () => {})
  return database
}
