import { DatabaseError } from 'pg'
import { StoreUnavailableError } from '../domain/store-unavailable.ts'

const SERIALIZATION_FAILURE = '40001'
const DEADLOCK = '40P01'
const UNIQUE_VIOLATION = '23505'

/** Conflicts between transactions that disappear when the losing one runs again. */
export function isConflict(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return false
  // Two agents renamed at once: the second run finds the name taken.
  if (error.code === UNIQUE_VIOLATION) return error.constraint === 'agents_name_key_is_unique'
  return error.code === SERIALIZATION_FAILURE || error.code === DEADLOCK
}

const MISSING_NAMES = ['42P01', '42703', '42883']
const MISSING_RIGHT = '42501'

/** A statement named a table, a column or a function that the database does not have. */
export const namesNothing = (error: unknown): boolean =>
  error instanceof DatabaseError && MISSING_NAMES.includes(error.code ?? '')

/** Which right the role in DATABASE_URL lacks, in a sentence; null for any other error. */
export const missingRightIn = (error: unknown): string | null =>
  error instanceof DatabaseError && error.code === MISSING_RIGHT
    ? `The role in DATABASE_URL lacks a right: ${error.message}.`
    : null

const LOCK_NOT_AVAILABLE = '55P03'

/** A lock was not to be had within the time that the statement may wait for one. */
export const isLockTimeout = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code === LOCK_NOT_AVAILABLE

const QUERY_CANCELLED = '57014'
const READ_ONLY = '25006'
/** Connection exceptions, insufficient resources, operator intervention, system errors. */
const UNAVAILABLE_CLASSES = ['08', '53', '57', '58']

const isUnavailable = (code = ''): boolean =>
  UNAVAILABLE_CLASSES.includes(code.slice(0, 2)) || [LOCK_NOT_AVAILABLE, QUERY_CANCELLED, READ_ONLY].includes(code)

/** What a failed statement means to the caller: PostgreSQL is unavailable, or the statement itself was wrong. */
export function storeError(error: unknown): unknown {
  if (error instanceof DatabaseError) {
    return isUnavailable(error.code) ? new StoreUnavailableError(error.message, { cause: error }) : error
  }
  const isMistake = error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError
  if (isMistake || !(error instanceof Error)) return error
  return new StoreUnavailableError(`The connection to PostgreSQL was lost: ${error.message}`, { cause: error })
}

/** Says why: logs and commands show only the message. */
export const noConnection = (cause: unknown): StoreUnavailableError =>
  new StoreUnavailableError(`No connection to PostgreSQL could be had. (${reasonOf(cause)})`, { cause })

/** When a name has several addresses and none answers, Node gives one error per address and no message of its own. */
export function reasonOf(cause: unknown): string {
  if (cause instanceof AggregateError && cause.message === '') return cause.errors.map(reasonOf).join(', ')
  return cause instanceof Error ? cause.message : String(cause)
}

/**
 * PostgreSQL failed, or the connection to it. To have waited for a lock in vain is no such failure, unless the answer leaves open
 * what was written.
 */
export const isStoreLost = (error: unknown): boolean =>
  error instanceof StoreUnavailableError && (error.maybeWritten || !isLockTimeout(error.cause))
