import { DatabaseError, type PoolClient, type Query, type QueryResult } from 'pg'
import { DescribedOnce, Driver, type Statement, unfinishedOf, type Wire } from './described-once.ts'

/** A statement that PostgreSQL passed over because one before it in its round had failed. */
export class UnreachedError extends Error {
  constructor(cause: DatabaseError) {
    super(cause.message, { cause })
    this.name = 'UnreachedError'
  }
}

/**
 * Statements that are sent together and answered together. PostgreSQL carries them out in their order, and none behind one
 * that fails. Sending and waking each other up is most of what a short statement costs both sides.
 */
class Round extends Driver {
  readonly #calls: readonly DescribedOnce[]
  #wire: Wire | null = null
  #at = 0

  constructor(calls: readonly DescribedOnce[]) {
    super('', [], (error) => this.#settle(error))
    this.#calls = calls
    this.#goTo(0)
  }

  override submit(wire: Wire): Error | null {
    this.#wire = wire
    const unfinished = unfinishedOf(wire)
    wire.stream.cork()
    for (const call of this.#calls) call.prepare(unfinished)
    wire.sync()
    // A value that cannot be written keeps its statement at home: then nothing of the round may leave.
    if (this.#calls.some(({ hasFailed }) => hasFailed)) wire.stream.destroy()
    else wire.stream.uncork()
    return null
  }

  override handleRowDescription(message: unknown): void {
    this.#calls[this.#at]?.handleRowDescription(message)
  }

  override handleDataRow(message: unknown): void {
    this.#calls[this.#at]?.handleDataRow(message)
  }

  override handleCommandComplete(message: unknown, wire: Wire): void {
    this.#calls[this.#at]?.handleCommandComplete(message, wire)
    this.#goTo(this.#at + 1)
  }

  /** The driver notes under this name whether the statement that is being answered has been prepared. */
  #goTo(at: number): void {
    this.#at = at
    this.name = this.#calls[at]?.name
    this.text = this.#calls[at]?.text ?? ''
  }

  #settle(error: Error | undefined): void {
    const wire = this.#wire
    for (const [index, call] of this.#calls.entries()) {
      if (index < this.#at && wire !== null) call.handleReadyForQuery(wire)
      else call.handleError(this.#reasonAt(index, error ?? new Error('PostgreSQL left a statement unanswered.')), wire)
    }
  }

  #reasonAt(index: number, error: Error): Error {
    return index > this.#at && error instanceof DatabaseError ? new UnreachedError(error) : error
  }
}

export type Rounds = {
  /** Puts a statement into the round that leaves next. */
  add(statement: Statement): Promise<QueryResult>
  /** Sends what waits. */
  leave(): void
  /** Sends what waits as soon as whoever is at work has nothing more to add. */
  leaveSoon(): void
  /** Drops what waits and takes no more; gives whether anything has ever been sent. */
  end(): boolean
}

export function roundsOn(client: PoolClient): Rounds {
  let waiting: DescribedOnce[] = []
  let isLeaving = false
  let hasLeft = false
  let hasEnded = false

  function leave(): void {
    isLeaving = false
    if (waiting.length === 0) return
    const round = new Round(waiting)
    waiting = []
    hasLeft = true
    client.query(round as unknown as Query)
  }

  return {
    add(statement) {
      // The connection may be somebody else's by now, in the middle of a transaction of their own.
      if (hasEnded) throw new Error('This transaction is over.')
      return new Promise((resolve, reject) => {
        waiting.push(new DescribedOnce(statement, (error, result) => (error ? reject(error) : resolve(result))))
      })
    },
    leave,
    leaveSoon() {
      if (isLeaving) return
      isLeaving = true
      queueMicrotask(leave)
    },
    end() {
      waiting = []
      hasEnded = true
      return hasLeft
    },
  }
}
