/** The store is unreachable or overloaded: answered with 503, and the call may be repeated. */
export class StoreUnavailableError extends Error {
  /** The connection was lost during COMMIT: the change may have been written. */
  readonly maybeWritten: boolean

  constructor(message: string, { cause, maybeWritten = false }: { cause?: unknown; maybeWritten?: boolean } = {}) {
    super(message, { cause })
    this.name = 'StoreUnavailableError'
    this.maybeWritten = maybeWritten
  }
}
