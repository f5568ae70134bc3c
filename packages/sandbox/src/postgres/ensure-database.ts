import pg from 'pg'

/** Creates the database unless it exists. */
export async function ensureDatabase(database: string, urlOf: (database: string) => string): Promise<void> {
  const client = new pg.Client({ connectionString: urlOf('postgres') })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rowCount } = await client.query('select from pg_database where datname = $1', [database])
    if (rowCount === 0) await client.query(`create database ${pg.escapeIdentifier(database)}`)
  } finally {
    await client.end()
  }
}
