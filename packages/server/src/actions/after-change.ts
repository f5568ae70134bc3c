import { StoreUnavailableError } from '../domain/store-unavailable.ts'

/** Reads for the answer after the commit: if the store fails now, the caller must not be told that nothing was done. */
export async function afterChange<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading
  } catch (error) {
    if (!(error instanceof StoreUnavailableError)) throw error
    throw new StoreUnavailableError(error.message, { cause: error, maybeWritten: true })
  }
}
