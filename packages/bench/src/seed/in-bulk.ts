import type { Pool, PoolClient } from 'pg'

const indexes = `
select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
from pg_index
where indrelid = any ($1::regclass[]) and not indisprimary
  and not exists (select from pg_constraint where conindid = indexrelid)`

/** One transaction for bulk writes to some tables: foreign keys are not checked, and indexes are rebuilt at the end. */
export async function inBulk(
  database: Pool,
  tables: readonly string[],
  write: (client: PoolClient) => Promise<void>,
): Promise<void> {
  const client = await database.connect()
  try {
    await client.query('begin')
    await client.query(`set local session_replication_role = replica; set local maintenance_work_mem = '512MB'`)
    const { rows } = await client.query<{ name: string; definition: string }>(indexes, [tables])
    for (const { name } of rows) await client.query(`drop index ${name}`)
    await write(client)
    for (const { definition } of rows) await client.query(definition)
    await client.query('commit')
  } catch (error) {
    // Closed, not given back: its transaction is still open.
    client.release(true)
    throw error
  }
  client.release()
}
