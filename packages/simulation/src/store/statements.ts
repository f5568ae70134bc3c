import type { Overlay, View } from './overlay.ts'

/** Runs a statement that locks nothing. */
export type Ask = <T>(what: string, act: (view: View) => T) => Promise<T>

/** Runs a statement that first takes these locks, waiting for their holders. */
export type Change = <T>(what: string, locks: readonly string[], act: (own: Overlay) => T) => Promise<T>

export type Statements = {
  readonly change: Change
  /** Whether no other transaction holds the lock. */
  readonly isFree: (key: string) => boolean
  /** A number from a sequence, which a rollback does not return. */
  readonly nextNumber: () => number
}
