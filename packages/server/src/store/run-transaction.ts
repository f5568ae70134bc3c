import type { Pool, PoolClient } from 'pg'
import { StoreUnavailableError } from '../domain/store-unavailable.ts'
import { type Connection, checkOut, connectionOf, send } from './connection.ts'
import { isConflict, storeError } from './failures.ts'
import { type Rounds, roundsOn, UnreachedError } from './round.ts'

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
  const rounds = roundsOn(client)
  let reusable = false
  try {
    // BEGIN is not awaited: it is sent with the first statement.
    rounds.add(BEGIN).catch(() => {})
    const result = await work(connectionOf(rounds))
    await commit(rounds)
    reusable = true
    rounds.end()
    return result
  } catch (error) {
    reusable = !rounds.end() || (await rolledBack(client))
    throw error
  } finally {
    client.release(!reusable)
  }
}

const BEGIN = { name: 'BEGIN', text: 'BEGIN', values: [] }
const COMMIT = { name: 'COMMIT', text: 'COMMIT', values: [] }

/**
 * COMMIT is sent with the writes that are still waiting. If the answer is lost and COMMIT was not skipped, the outcome is
 * unknown.
 */
async function commit(rounds: Rounds): Promise<void> {
  const committed = rounds.add(COMMIT)
  rounds.leave()
  const { command } = await committed.catch((error: unknown) => {
    if (error instanceof UnreachedError) throw storeError(error.cause)
    const known = storeError(error)
    if (!(known instanceof StoreUnavailableError)) throw known
    throw new StoreUnavailableError(known.message, { cause: known.cause, maybeWritten: true })
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
