import type { Connection } from './connection.ts'

/** The row that a statement finds, as the domain knows it; null when it finds none. */
export async function readOne<Row, Value>(
  connection: Connection,
  read: (row: Row) => Value,
  text: string,
  values: readonly unknown[] = [],
): Promise<Value | null> {
  const row = await connection.first<Row>(text, values)
  return row === null ? null : read(row)
}
