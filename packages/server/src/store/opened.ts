import type { Connection } from './connection.ts'

/** What a query family offers on a connection. */
type Family = (connection: Connection) => object
type Together<Part> = (Part extends unknown ? (part: Part) => void : never) extends (all: infer All) => void
  ? All
  : never
type Offer<Families extends readonly Family[]> = Together<ReturnType<Families[number]>>

/** All methods of the families in one object. */
export const offered = <const Families extends readonly Family[]>(families: Families, connection: Connection) =>
  Object.assign({}, ...families.map((family) => family(connection))) as Offer<Families>

/**
 * The same for a transaction, which uses only a few families: each is created on first use. Creating all of them was a twentieth
 * of the cost of a signed change.
 */
export function opened<const Families extends readonly Family[]>(
  families: Families,
): (connection: Connection) => Offer<Families> {
  class Opened {
    readonly #connection: Connection
    readonly #made: object[] = []

    constructor(connection: Connection) {
      this.#connection = connection
    }

    static {
      for (const [index, family] of families.entries())
        for (const name of Object.keys(family(nowhere)))
          Object.defineProperty(Opened.prototype, name, {
            configurable: true,
            get(this: Opened) {
              this.#made[index] ??= family(this.#connection)
              return Reflect.get(this.#made[index], name)
            },
          })
    }
  }
  return (connection) => new Opened(connection) as Offer<Families>
}

const askedNowhere = (): never => {
  throw new Error('A family asks its connection only when it is asked itself.')
}
/** A stand-in that is enough to find out which methods a family offers. */
const nowhere: Connection = {
  rows: askedNowhere,
  first: askedNowhere,
  change: askedNowhere,
  write: askedNowhere,
  writeRow: askedNowhere,
  askRow: askedNowhere,
  rowsPlannedAnew: askedNowhere,
}
