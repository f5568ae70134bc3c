import { DatabaseError } from 'pg'
import { type DescribedOnce, Driver, unfinishedOf, type Wire } from './described-once.ts'

/** A statement that PostgreSQL skipped because an earlier one of its round had failed. */
export class UnreachedError extends Error {
  constructor(cause: DatabaseError) {
    super(cause.message, { cause })
    this.name = 'UnreachedError'
  }
}

/**
 * Statements that are sent together and answered together. PostgreSQL runs them in order and skips the rest after a failure.
 * Sending, and waking the other side, is most of what a short statement costs.
 */
export class Round extends Driver {
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
    // When a value cannot be serialized, its statement is not sent: then nothing of the round may be.
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

  /** The driver records under this name whether the statement that is being answered has been prepared. */
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
