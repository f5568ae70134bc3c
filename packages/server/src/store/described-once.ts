import { type PoolClient, Query, type QueryResult } from 'pg'
import { valueParsers } from './value-parsers.ts'

/** What the rows of a statement look like: their columns, how each is read, and a row without values. */
type Shape = { fields: unknown; _parsers: unknown; _prebuiltEmptyResultObject: unknown }
export type Wire = {
  readonly stream: { cork(): void; uncork(): void; destroy(): void }
  readonly parsedStatements: Readonly<Record<string, string>>
  readonly submittedNamedStatements: Record<string, string>
  close(statement: { readonly type: 'S'; readonly name: string }): void
  describe(portal: unknown): void
  sync(): void
}
/** Prepared once per connection when it has a name. */
export type Statement = {
  readonly text: string
  readonly values: readonly unknown[]
  readonly name: string | undefined
}
export type Done = (error: Error | undefined, result: QueryResult) => void

/** The driver's internals that are extended here: its version is pinned, and a test checks that they still exist. */
type DriverQuery = {
  name: string | undefined
  text: string
  readonly callback: Done
  readonly _result: Shape & { _types: unknown }
  _accumulateRows: boolean
  submit(wire: Wire): Error | null
  prepare(wire: Wire): void
  handleRowDescription(message: unknown): void
  handleDataRow(message: unknown): void
  handleCommandComplete(message: unknown, wire: Wire): void
  handleError(error: Error, wire: Wire | null): void
  handleReadyForQuery(wire: Wire): void
}
export const Driver = Query as unknown as new (text: string, values: unknown[], done: Done) => DriverQuery

/**
 * Per connection: the known row shapes, names whose statements were not prepared after all, and a view of the connection that
 * ignores Describe.
 */
type Known = { readonly shapes: Map<string, Shape>; readonly unprepared: Set<string>; readonly unasked: Wire }
const connections = new WeakMap<Wire, Known>()

const deafTo = (wire: Wire, message: 'describe' | 'sync'): Wire =>
  Object.create(wire, { [message]: { value: () => {} } }) as Wire

function knownOf(wire: Wire): Known {
  const known = connections.get(wire)
  if (known !== undefined) return known
  const made = { shapes: new Map<string, Shape>(), unprepared: new Set<string>(), unasked: deafTo(wire, 'describe') }
  connections.set(wire, made)
  return made
}

const unfinished = new WeakMap<Wire, Wire>()

/** A view of the connection that ignores Sync, for a statement that is followed by others in the same round. */
export function unfinishedOf(wire: Wire): Wire {
  const known = unfinished.get(wire)
  if (known !== undefined) return known
  const made = deafTo(wire, 'sync')
  unfinished.set(wire, made)
  connections.set(made, { ...knownOf(wire), unasked: deafTo(made, 'describe') })
  return made
}

/**
 * A call of a named statement that sends Describe only the first time on each connection. The driver sends it on every call and
 * rebuilds its row parsers: with a hundred columns that is a fifth of what a read costs.
 */
export class DescribedOnce extends Driver {
  hasFailed = false

  constructor({ text, values, name }: Statement, done: Done) {
    super(text, [...values], done)
    this.name = name
    this._result._types = valueParsers
  }

  override prepare(wire: Wire): void {
    const { shapes, unprepared, unasked } = knownOf(wire)
    // PgBouncer keeps the name of a statement that failed or was skipped, and disconnects a client that prepares it again.
    if (this.name !== undefined && unprepared.delete(this.name)) wire.close({ type: 'S', name: this.name })
    const shape = this.name === undefined ? undefined : shapes.get(this.name)
    if (shape !== undefined) {
      Object.assign(this._result, shape)
      this._accumulateRows = true
    }
    super.prepare(shape === undefined ? wire : unasked)
  }

  override handleError(error: Error, wire: Wire | null): void {
    this.hasFailed = true
    if (wire !== null) this.#forgetUnprepared(wire)
    super.handleError(error, wire)
  }

  /** A statement that failed before it was parsed, or was skipped, is not prepared: the next call has to prepare it. */
  #forgetUnprepared(wire: Wire): void {
    if (this.name === undefined || wire.parsedStatements[this.name] !== undefined) return
    delete wire.submittedNamedStatements[this.name]
    knownOf(wire).unprepared.add(this.name)
  }

  /** Called only when the statement succeeded. */
  override handleReadyForQuery(wire: Wire): void {
    const { fields, _parsers, _prebuiltEmptyResultObject } = this._result
    const { shapes } = knownOf(wire)
    if (this.name !== undefined && !shapes.has(this.name))
      shapes.set(this.name, { fields, _parsers, _prebuiltEmptyResultObject })
    super.handleReadyForQuery(wire)
  }
}

/** Runs a named statement. */
export const callStatement = (client: PoolClient, statement: Statement): Promise<QueryResult> =>
  new Promise((resolve, reject) => {
    const call = new DescribedOnce(statement, (error, result) => (error ? reject(error) : resolve(result)))
    client.query(call as unknown as Query)
  })
