/** The store cannot be reached, or cannot do the work now: answered with a 503, and the call may be sent again. */
export class StoreUnavailableError extends Error {
  /** The connection was lost while the change was being committed: it may have been written all the same. */
  readonly maybeWritten: boolean

  constructor(message: string, { cause, maybeWritten = false }: { cause?: unknown; maybeWritten?: boolean } = {}) {
    super(message, { cause })
    this.name = 'StoreUnavailableError'
    this.maybeWritten = maybeWritten
  }
}
