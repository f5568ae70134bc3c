import { DatabaseError, type Pool, type PoolClient, type QueryResult } from 'pg'
import { callStatement } from './described-once.ts'
import { noConnection, storeError } from './failures.ts'
import { UnreachedError } from './round.ts'
import type { Rounds } from './rounds.ts'
import type { RowStatement } from './row-statement.ts'
import { statementName } from './statement-name.ts'

/** Where a query family sends its statements: to the pool, or to the one connection of a transaction. */
export type Connection = {
  rows<Row>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>
  first<Row>(text: string, values?: readonly unknown[]): Promise<Row | null>
  /** Runs a statement for its effect and gives the number of rows that it touched. */
  change(text: string, values?: readonly unknown[]): Promise<number>
  /**
   * Runs a statement for its effect. In a transaction it is not awaited: it is sent with the next query or with the commit, and
   * when it fails, everything after it fails with its error.
   */
  write(text: string, values?: readonly unknown[]): Promise<void>
  /** The same for a row, which goes together with those of others that share the transaction. */
  writeRow(statement: RowStatement, row: readonly unknown[]): Promise<void>
  /** Asks about a row together with others: the answer may hold what they have asked for, too. */
  askRow<Row>(statement: RowStatement, row: readonly unknown[]): Promise<readonly Row[]>
  /** Not prepared: PostgreSQL plans it for these values, where the best plan depends on them. */
  rowsPlannedAnew<Row>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>
}

type Run = (text: string, values: readonly unknown[], name?: string) => Promise<QueryResult>

function connectionThrough(run: Run): Connection {
  const prepared = (text: string, values: readonly unknown[] = []) => run(text, values, statementName(text))
  return {
    rows: async (text, values) => (await prepared(text, values)).rows,
    first: async (text, values) => (await prepared(text, values)).rows[0] ?? null,
    change: async (text, values) => (await prepared(text, values)).rowCount ?? 0,
    write: async (text, values) => {
      await prepared(text, values)
    },
    writeRow: async ({ one }, row) => {
      await prepared(one, row)
    },
    askRow: async ({ one }, row) => (await prepared(one, row)).rows,
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
    if (name !== undefined) return await callStatement(client, { text, values, name })
    return await client.query({ text, values: [...values] })
  } catch (error) {
    throw storeError(error)
  }
}

export async function checkOut(pool: Pool): Promise<PoolClient> {
  try {
    return await pool.connect()
  } catch (error) {
    throw noConnection(error)
  }
}

/**
 * A connection of a transaction: statements that are issued before one is awaited are sent together. Each of those who share the
 * transaction has one of its own.
 */
export function connectionOf(rounds: Rounds): Connection {
  const lane = rounds.openLane()
  const answered = async (answer: Promise<QueryResult>): Promise<QueryResult> => {
    rounds.leaveSoon()
    try {
      return await answer
    } catch (error) {
      throw storeError(error instanceof UnreachedError ? error.cause : error)
    }
  }
  return {
    ...connectionThrough((text, values, name) => answered(lane.add({ text, values, name }))),
    async write(text, values = []) {
      lane.add({ text, values, name: statementName(text) }).catch(() => {})
    },
    async writeRow(statement, row) {
      lane.addRow(statement, row).catch(() => {})
    },
    askRow: async (statement, row) => (await answered(lane.addRow(statement, row))).rows,
  }
}

/** Each statement on a connection of its own. A connection that failed for another reason than the statement is not reused. */
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
