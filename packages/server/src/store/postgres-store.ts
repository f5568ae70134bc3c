import type { FigureStore } from '../ports/figure-store.ts'
import type { Store, Transaction } from '../ports/store.ts'
import { callerReads } from './agents.ts'
import { openPools, type PoolOptions } from './connect.ts'
import { type Connection, connectionOfPool } from './connection.ts'
import { isStoreLost } from './failures.ts'
import { reads, writes } from './families.ts'
import { figureStore } from './figures.ts'
import { profileIdentityRead } from './identities.ts'
import { offered, opened } from './opened.ts'
import { whyNotReady, whyUnknown } from './readiness.ts'
import { profileReputationRead } from './reputations.ts'
import { runSealing, runShared, runTransaction } from './run-transaction.ts'
import { sealingTransaction } from './sealing.ts'
import { missingSettings } from './session-settings.ts'
import { shareCommits } from './share-commits.ts'
import { publicTaskReads } from './task-detail.ts'
import { trustStore } from './trust.ts'

const transactionOn: (connection: Connection) => Transaction = opened([...reads, ...writes])

/** One is being built while the other is written to disk. */
const SHARED_AT_ONCE = 2

type PostgresStore = Store & {
  readonly figures: FigureStore
  missingSettings(): Promise<readonly string[]>
  /** The database's clock, to compare a node's clock with; no rule uses it. */
  clock(): Promise<number>
  whyNotReady(): Promise<string | null>
  /** Whether a statement failed only because the schema is older, in a sentence. */
  whyUnknown(error: unknown): Promise<string | null>
}

type StoreOptions = PoolOptions & {
  /** Begins once those changes have come that are on their way. */
  readonly whenHere?: (begin: () => void) => void
}

/** The store on PostgreSQL. The schema must have been migrated; `ready` says whether it has. */
export function createPostgresStore({ whenHere = beginNow, ...options }: StoreOptions): PostgresStore {
  const { readers, writers, sealers, all } = openPools(options)
  const connection = connectionOfPool(readers)
  const transaction: Store['transaction'] = (work) => runTransaction(writers, (tx) => work(transactionOn(tx)))
  const whyNot = () => whyNotReady(connection, options.maxLagMs ?? null)
  return {
    ...offered(reads, connection),
    ...callerReads(connection),
    ...profileReputationRead(connection),
    ...profileIdentityRead(connection),
    ...publicTaskReads(connection),
    transaction,
    sharedTransaction: shareCommits({
      together: (work) => runShared(writers, (open) => work(() => transactionOn(open()))),
      alone: transaction,
      isStoreLost,
      atOnce: SHARED_AT_ONCE,
      soon: setImmediate,
      whenHere,
    }),
    trust: trustStore(connection),
    figures: figureStore(connection, [readers, writers]),
    sealing: (work) => runSealing(sealers, (tx) => work(sealingTransaction(tx))),
    missingSettings: () => missingSettings(connection),
    clock: () => serverClock(connection),
    whyNotReady: whyNot,
    whyUnknown: (error) => whyUnknown(error, connection),
    ready: async () => (await whyNot()) === null,
    async close() {
      await Promise.all(all.map((pool) => pool.end()))
    },
  }
}

const beginNow = (begin: () => void): void => begin()

async function serverClock(connection: Connection): Promise<number> {
  const row = await connection.first<{ ms: number }>(
    'select extract(epoch from clock_timestamp())::float8 * 1000 as ms',
  )
  if (row === null) throw new Error('PostgreSQL did not tell the time.')
  return row.ms
}
