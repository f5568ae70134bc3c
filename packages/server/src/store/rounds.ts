import type { PoolClient, Query, QueryResult } from 'pg'
import { DescribedOnce, type Statement } from './described-once.ts'
import { Round } from './round.ts'
import type { RowStatement } from './row-statement.ts'
import { statementName } from './statement-name.ts'

/** One of those who share a transaction. What it issues is run in the order in which it issued it. */
export type Lane = {
  /** Adds a statement to the next round. */
  add(statement: Statement): Promise<QueryResult>
  /**
   * Adds a row to those that are waiting for the same statement, or begins a new one if the row would otherwise come before
   * something that this lane has issued earlier. Everybody with a row in it gets the whole answer.
   */
  addRow(statement: RowStatement, row: readonly unknown[]): Promise<QueryResult>
}

export type Rounds = {
  openLane(): Lane
  /** Sends what is waiting. */
  leave(): void
  /** Sends what is waiting soon, so that what is issued until then goes together. */
  leaveSoon(): void
  /** Drops what is waiting and refuses more; returns whether anything was ever sent. */
  end(): boolean
}

/** A statement, or rows for one, that waits to be sent. */
type Waiting = {
  /** Counts what is issued in this transaction. */
  readonly nr: number
  readonly statement: () => Statement
  readonly answer: PromiseWithResolvers<QueryResult>
}
type Batch = Waiting & { readonly rows: (readonly unknown[])[]; readonly keys: Set<unknown> }

export function roundsOn(client: PoolClient, soon: (send: () => void) => void): Rounds {
  let waiting: Waiting[] = []
  /** The newest batch of each statement among what is waiting. */
  const batches = new Map<RowStatement, Batch>()
  let count = 0
  let isLeaving = false
  let hasLeft = false
  let hasEnded = false

  function leave(): void {
    isLeaving = false
    if (waiting.length === 0) return
    const round = new Round(waiting.map(called))
    forget()
    hasLeft = true
    client.query(round as unknown as Query)
  }

  function forget(): void {
    waiting = []
    batches.clear()
  }

  function issue(statement: () => Statement): Waiting {
    // The pool may have given the connection to another transaction by now.
    if (hasEnded) throw new Error('This transaction is over.')
    const issued = { nr: count++, statement, answer: Promise.withResolvers<QueryResult>() }
    waiting.push(issued)
    return issued
  }

  function issueBatch(statement: RowStatement): Batch {
    const rows: (readonly unknown[])[] = []
    const batch = { ...issue(() => statementFor(statement, rows)), rows, keys: new Set() }
    batches.set(statement, batch)
    return batch
  }

  function openLane(): Lane {
    let last = -1
    return {
      add(statement) {
        const { nr, answer } = issue(() => statement)
        last = nr
        return answer.promise
      },
      addRow(statement, row) {
        const key = statement.key?.(row)
        const begun = batches.get(statement)
        const fits = begun !== undefined && begun.nr >= last && (key === undefined || !begun.keys.has(key))
        const batch = fits ? begun : issueBatch(statement)
        batch.rows.push(row)
        batch.keys.add(key)
        last = batch.nr
        return batch.answer.promise
      },
    }
  }

  return {
    openLane,
    leave,
    leaveSoon() {
      if (isLeaving) return
      isLeaving = true
      soon(leave)
    },
    end() {
      forget()
      hasEnded = true
      return hasLeft
    },
  }
}

const called = ({ statement, answer }: Waiting): DescribedOnce =>
  new DescribedOnce(statement(), (error, result) => (error ? answer.reject(error) : answer.resolve(result)))

function statementFor({ one, many, pack }: RowStatement, rows: readonly (readonly unknown[])[]): Statement {
  const [first = [], ...others] = rows
  const text = others.length === 0 ? one : many
  return { text, values: others.length === 0 ? first : pack(rows), name: statementName(text) }
}
