import type { Operation } from '../load/operation.ts'
import type { MeasuredServer } from '../stage/start-process.ts'

/** One line of the table: which requests go to which server, and how hard. */
export type Line = {
  readonly name: string
  readonly server: MeasuredServer
  readonly connections: number
  readonly mostMs: number
  /** Builds the requests of one round, before its clock starts. */
  prepare(): Promise<() => Operation | null>
  /** Waits until the server has finished the background work of the round; its CPU time counts. */
  settled(): Promise<void>
}

export const nothingLeft = (): Promise<void> => Promise.resolve()

/** The values once each. */
export function inTurn<T>(values: readonly T[]): () => T | null {
  let at = 0
  return () => values[at++] ?? null
}

/** Repeats the operations endlessly; only for requests that may be repeated. */
export function overAndOver(operations: readonly Operation[]): () => Operation | null {
  let at = 0
  return () => operations[at++ % operations.length] ?? null
}
