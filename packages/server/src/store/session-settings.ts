import type { Connection } from './connection.ts'

/**
 * What every session is started with, each value as PostgreSQL shows it. The three waits make a lost or overloaded server known
 * within five seconds together with those of the driver: a wait for a connection ends first, then one for a lock, then a statement
 * on the server, then an answer that never comes.
 */
export const sessionSettings: Readonly<Record<string, string>> = {
  lock_timeout: '2s',
  statement_timeout: '3500ms',
  idle_in_transaction_session_timeout: '5s',
  TimeZone: 'UTC',
  // Compiling a plan never pays for statements as short as ours.
  jit: 'off',
  // Disks of today find any page about as fast as the next one; the default would rather read whole tables.
  random_page_cost: '1.1',
  // Words of six letters with two of them swapped share no more than a quarter of their parts.
  'pg_trgm.similarity_threshold': '0.2',
}

const inForce = 'select name, current_setting(name, true) as value from unnest($1::text[]) as asked (name)'

/** What a session should have and has not, because a pooler in between has kept it to itself. */
export async function missingSettings(connection: Connection): Promise<readonly string[]> {
  const names = Object.keys(sessionSettings)
  const rows = await connection.rows<{ name: string; value: string | null }>(inForce, [names])
  const found = new Map(rows.map(({ name, value }) => [name, value]))
  return names
    .filter((name) => found.get(name) !== sessionSettings[name])
    .map((name) => `${name} = ${sessionSettings[name]}`)
}
