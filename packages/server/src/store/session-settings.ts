import type { Connection } from './connection.ts'

/**
 * What every session is started with, each value as PostgreSQL shows it. Together with the driver's timeouts, a lost or
 * overloaded server is noticed within five seconds: first the wait for a connection ends, then one for a lock, then a statement
 * on the server, then the wait for an answer.
 */
export const sessionSettings: Readonly<Record<string, string>> = {
  lock_timeout: '2s',
  statement_timeout: '3500ms',
  idle_in_transaction_session_timeout: '5s',
  TimeZone: 'UTC',
  // JIT compilation never pays off for statements as short as ours.
  jit: 'off',
  // An SSD reads any page about as fast as the next one; with the default, PostgreSQL prefers to scan whole tables.
  random_page_cost: '1.1',
  // Six-letter words with two letters swapped share at most a quarter of their trigrams.
  'pg_trgm.similarity_threshold': '0.2',
}

const inForce = 'select name, current_setting(name, true) as value from unnest($1::text[]) as asked (name)'

/** Settings that a session lacks, because a pooler in between did not pass them on. */
export async function missingSettings(connection: Connection): Promise<readonly string[]> {
  const names = Object.keys(sessionSettings)
  const rows = await connection.rows<{ name: string; value: string | null }>(inForce, [names])
  const found = new Map(rows.map(({ name, value }) => [name, value]))
  return names
    .filter((name) => found.get(name) !== sessionSettings[name])
    .map((name) => `${name} = ${sessionSettings[name]}`)
}
