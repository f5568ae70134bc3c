import { DatabaseError, type Pool, type PoolClient, type QueryResult } from 'pg'
import { StoreUnavailableError } from '../domain/store-unavailable.ts'
import { callStatement } from './described-once.ts'
import { storeError } from './failures.ts'
import { statementName } from './statement-name.ts'

/** Where a query family sends its statements: to the pool, or to the one connection of a transaction. */
export type Connection = {
  rows<Row>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>
  first<Row>(text: string, values?: readonly unknown[]): Promise<Row | null>
  /** Runs a statement for its effect and gives the number of rows that it touched. */
  change(text: string, values?: readonly unknown[]): Promise<number>
  /** Not prepared: planned anew for these very values, where the right plan depends on them. */
  rowsPlannedAnew<Row>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>
}

type Run = (text: string, values: readonly unknown[], name?: string) => Promise<QueryResult>

function connectionThrough(run: Run): Connection {
  const prepared = (text: string, values: readonly unknown[] = []) => run(text, values, statementName(text))
  return {
    rows: async (text, values) => (await prepared(text, values)).rows,
    first: async (text, values) => (await prepared(text, values)).rows[0] ?? null,
    change: async (text, values) => (await prepared(text, values)).rowCount ?? 0,
    rowsPlannedAnew: async (text, values = []) => (await run(text, values)).rows,
  }
}

export async function send(
  client: PoolClient,
  text: string,
  values: readonly unknown[] = [],
  name?: string,
): Promise<QueryResult> {
  try {
    if (name !== undefined) return await callStatement(client, { text, values: [...values], name })
    return await client.query({ text, values: [...values] })
  } catch (error) {
    throw storeError(error)
  }
}

export async function checkOut(pool: Pool): Promise<PoolClient> {
  try {
    return await pool.connect()
  } catch (error) {
    throw new StoreUnavailableError('No connection to PostgreSQL could be had.', { cause: error })
  }
}

export const connectionOf = (client: PoolClient): Connection =>
  connectionThrough((text, values, name) => send(client, text, values, name))

/** Each statement on a connection of its own. A connection on which something else than the statement failed is not used again. */
export const connectionOfPool = (pool: Pool): Connection =>
  connectionThrough(async (text, values, name) => {
    const client = await checkOut(pool)
    let reusable = false
    try {
      const result = await send(client, text, values, name)
      reusable = true
      return result
    } catch (error) {
      reusable = error instanceof DatabaseError
      throw error
    } finally {
      client.release(!reusable)
    }
  })
