import type { Pool, PoolClient } from 'pg'
import { StoreUnavailableError } from '../domain/store-unavailable.ts'
import { type Connection, checkOut, connectionOf, send } from './connection.ts'
import type { Statement } from './described-once.ts'
import { isConflict, storeError } from './failures.ts'
import { UnreachedError } from './round.ts'
import { type Rounds, roundsOn } from './rounds.ts'

const ATTEMPTS = 6
const FIRST_PAUSE_MS = 5

/** Commits what `work` did, or nothing; runs it again when it lost against another transaction. */
export const runTransaction = <T>(pool: Pool, work: Work<T>): Promise<T> => runAsOftenAsNeeded(pool, work, OWN)

/** The same for the sealer, which finds rows by index only. */
export const runSealing = <T>(pool: Pool, work: Work<T>): Promise<T> => runAsOftenAsNeeded(pool, work, SEALING)

type Work<T> = (connection: Connection) => Promise<T>

async function runAsOftenAsNeeded<T>(pool: Pool, work: Work<T>, kind: Kind): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await runOnce(pool, (open) => work(open()), kind)
    } catch (error) {
      if (!isConflict(error)) throw error
      if (attempt === ATTEMPTS) throw new StoreUnavailableError('Too many transactions in conflict.', { cause: error })
      await pauseAfter(attempt)
    }
  }
}

type Opening = () => Connection

/**
 * One transaction for several changes, each with a connection that it opens. It soon gives way: behind a lock that it waits for,
 * they all wait.
 */
export const runShared = <T>(pool: Pool, work: (open: Opening) => Promise<T>): Promise<T> => runOnce(pool, work, SHARED)

async function runOnce<T>(pool: Pool, work: (open: Opening) => Promise<T>, kind: Kind): Promise<T> {
  const client = await checkOut(pool)
  const rounds = roundsOn(client, kind.soon)
  let reusable = false
  try {
    // Not awaited: what a transaction begins with is sent with its first statement.
    const lane = rounds.openLane()
    for (const statement of kind.beginning) lane.add(statement).catch(() => {})
    const result = await work(() => connectionOf(rounds))
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

const command = (text: string): Statement => ({ name: text, text, values: [] })
const BEGIN = command('BEGIN')
const COMMIT = command('COMMIT')
const GIVE_WAY = command(`SET LOCAL lock_timeout = '50ms'`)
const BY_INDEX = command('SET LOCAL enable_seqscan = off')

type Kind = { readonly beginning: readonly Statement[]; readonly soon: (send: () => void) => void }

const OWN: Kind = { beginning: [BEGIN], soon: queueMicrotask }
/**
 * What the sealer has deleted stays in its table until that is vacuumed. A plan that was made when the table was empty would walk
 * through all of it.
 */
const SEALING: Kind = { beginning: [BEGIN, BY_INDEX], soon: queueMicrotask }
/** One answer is for all of them: when each has done with it what it can, what they have issued goes out in one round. */
const SHARED: Kind = { beginning: [BEGIN, GIVE_WAY], soon: process.nextTick }

/**
 * COMMIT is sent with the writes that are still waiting. If the answer is lost and COMMIT was not skipped, the outcome is
 * unknown.
 */
async function commit(rounds: Rounds): Promise<void> {
  const committed = rounds.openLane().add(COMMIT)
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
