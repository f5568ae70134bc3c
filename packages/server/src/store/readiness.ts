import { StoreUnavailableError } from '../domain/store-unavailable.ts'
import type { Connection } from './connection.ts'
import { missingRightIn, namesNothing, reasonOf } from './failures.ts'
import { ourNames } from './migration-files.ts'

/**
 * A replica that has replayed everything it received is up to date while it is connected to its primary; otherwise it is as old
 * as the last commit that it replayed, by the database's own clocks.
 */
const state = `
select (select count(*)::int from migrations where name = any($1)) as migrations, pg_is_in_recovery() as is_copy,
  to_regclass('burnt_signatures') is null or to_regclass('burnt_wallet_nonces') is null as forgets,
  case when not pg_is_in_recovery() then 0
    when exists (select from pg_stat_wal_receiver) and pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() then 0
    else extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp()) * 1000
  end::float8 as lag_ms`

type State = {
  readonly migrations: number
  readonly is_copy: boolean
  readonly forgets: boolean
  readonly lag_ms: number | null
}

/** Why the database cannot be used, in a sentence; null when it can. When `maxLagMs` is null, a replica is refused. */
export async function whyNotReady(connection: Connection, maxLagMs: number | null): Promise<string | null> {
  const names = await ourNames()
  try {
    const found = await connection.first<State>(state, [names])
    // Only our migrations are counted: an older node works on a newer schema.
    if (found?.migrations !== names.length) return NOT_MIGRATED
    if (found.forgets) return FORGETS
    if (found.is_copy && maxLagMs === null) return IS_COPY
    return found.is_copy && (found.lag_ms ?? Number.POSITIVE_INFINITY) > (maxLagMs ?? 0) ? LAGS : null
  } catch (error) {
    if (error instanceof StoreUnavailableError) return unreachable(error)
    return missingRightIn(error) ?? NOT_MIGRATED
  }
}

/**
 * Why a statement failed that is right on an up-to-date schema, in a sentence; null when something else is wrong with it. Asked
 * only after a failure: some commands work on a schema that is older.
 */
export const whyUnknown = async (error: unknown, connection: Connection): Promise<string | null> =>
  namesNothing(error) ? whyNotReady(connection, Number.POSITIVE_INFINITY) : null

const NOT_MIGRATED = 'The database at DATABASE_URL is not up to date: run `guildhall migrate` first.'
const FORGETS =
  'The database at DATABASE_URL lacks burnt_signatures or burnt_wallet_nonces, which keep a signature from being used twice: restore it.'
const unreachable = ({ cause, message }: Error) =>
  `The database at DATABASE_URL cannot be reached: ${cause === undefined ? message : reasonOf(cause)}`
const IS_COPY =
  'The database at DATABASE_URL is a copy that nobody can write to: only a node with GUILDHALL_ROLE=reader works on one.'
const LAGS = 'The database at DATABASE_URL is a copy that lags behind by more than GUILDHALL_MAX_LAG_MS.'
