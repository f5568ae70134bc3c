import type { Operation } from '../load/operation.ts'
import type { MeasuredServer } from '../stage/start-process.ts'

/** One line of the table: what is asked of which server, and how hard. */
export type Line = {
  readonly name: string
  readonly server: MeasuredServer
  readonly connections: number
  readonly mostMs: number
  /** Makes what one round sends, before its clock runs. */
  prepare(): Promise<() => Operation | null>
  /** Waits until the server has done what the round left behind; its CPU time counts. */
  settled(): Promise<void>
}

export const nothingLeft = (): Promise<void> => Promise.resolve()

/** The values once each. */
export function inTurn<T>(values: readonly T[]): () => T | null {
  let at = 0
  return () => values[at++] ?? null
}

/** The operations over and over; only for requests that may be repeated. */
export function overAndOver(operations: readonly Operation[]): () => Operation | null {
  let at = 0
  return () => operations[at++ % operations.length] ?? null
}
