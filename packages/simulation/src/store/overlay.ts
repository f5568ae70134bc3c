import type { Table } from './tables.ts'

/** What a statement sees: committed rows, and the writes of its own transaction. */
export type View = {
  get<Row>(table: Table<Row>, key: string): Row | null
  all<Row>(table: Table<Row>): Iterable<Row>
}

export const COMMITTED: View = {
  get: (table, key) => table.get(key) ?? null,
  all: (table) => table.values(),
}

type Written = Map<string, unknown>

/** The writes of one transaction, on top of the committed rows. */
export type Overlay = View & {
  put<Row>(table: Table<Row>, key: string, row: Row): void
  remove<Row>(table: Table<Row>, key: string): void
  apply(): void
  readonly written: ReadonlyMap<Table<unknown>, ReadonlyMap<string, unknown>>
}

export function createOverlay(): Overlay {
  const written = new Map<Table<unknown>, Written>()
  const of = <Row>(table: Table<Row>): Written => {
    const key = table as Table<unknown>
    const known = written.get(key)
    if (known !== undefined) return known
    const rows: Written = new Map()
    written.set(key, rows)
    return rows
  }

  function* merged<Row>(table: Table<Row>, rows: Written): Iterable<Row> {
    for (const [key, row] of table) {
      if (!rows.has(key)) yield row
      else if (rows.get(key) !== undefined) yield rows.get(key) as Row
    }
    for (const [key, row] of rows) if (row !== undefined && !table.has(key)) yield row as Row
  }

  return {
    get<Row>(table: Table<Row>, key: string) {
      const rows = written.get(table as Table<unknown>)
      if (rows?.has(key)) return (rows.get(key) as Row | undefined) ?? null
      return table.get(key) ?? null
    },
    all<Row>(table: Table<Row>) {
      const rows = written.get(table as Table<unknown>)
      return rows === undefined ? table.values() : merged(table, rows)
    },
    put: (table, key, row) => void of(table).set(key, row),
    remove: (table, key) => void of(table).set(key, undefined),
    apply() {
      for (const [table, rows] of written) {
        for (const [key, row] of rows) {
          if (row === undefined) table.delete(key)
          else table.set(key, row)
        }
      }
    },
    written,
  }
}
