import type { Pool, PoolClient } from 'pg'
import { StoreUnavailableError } from '../domain/store-unavailable.ts'
import { type Connection, checkOut, connectionOf, send } from './connection.ts'
import { isConflict } from './failures.ts'

const ATTEMPTS = 6
const FIRST_PAUSE_MS = 5

/** Commits what `work` did, or nothing; runs it again when it lost against another transaction. */
export async function runTransaction<T>(pool: Pool, work: (connection: Connection) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await runOnce(pool, work)
    } catch (error) {
      if (!isConflict(error)) throw error
      if (attempt === ATTEMPTS) throw new StoreUnavailableError('Too many transactions in conflict.', { cause: error })
      await pauseAfter(attempt)
    }
  }
}

async function runOnce<T>(pool: Pool, work: (connection: Connection) => Promise<T>): Promise<T> {
  const client = await checkOut(pool)
  let reusable = false
  try {
    // Not awaited: BEGIN travels with the first statement, and the server keeps their order.
    const begun = send(client, 'BEGIN')
    begun.catch(() => {})
    const result = await work(connectionOf(client))
    await begun
    await commit(client)
    reusable = true
    return result
  } catch (error) {
    reusable = await rolledBack(client)
    throw error
  } finally {
    client.release(!reusable)
  }
}

async function commit(client: PoolClient): Promise<void> {
  const { command } = await send(client, 'COMMIT').catch((error: unknown) => {
    if (!(error instanceof StoreUnavailableError)) throw error
    throw new StoreUnavailableError(error.message, { cause: error.cause, maybeWritten: true })
  })
  if (command !== 'COMMIT') throw new Error('A statement of this transaction failed unnoticed; nothing was written.')
}

const rolledBack = (client: PoolClient): Promise<boolean> =>
  send(client, 'ROLLBACK').then(
    () => true,
    () => false,
  )

const pauseAfter = (attempt: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, FIRST_PAUSE_MS * 2 ** attempt * Math.random()))
