type Values = readonly unknown[]

/**
 * A statement about rows in two forms: `one` takes the values of a single row, `many` takes any number of rows at once. What
 * concerns eight rows in one statement costs much less than eight statements.
 */
export type RowStatement = {
  readonly one: string
  readonly many: string
  /** The parameters of `many`. */
  readonly pack: (rows: readonly Values[]) => Values
  /** `many` must not meet two rows with the same key: an UPDATE changes each row only once. Without it, all rows may go together. */
  readonly key?: (row: Values) => unknown
}

/** One array for each value of a row. */
export const inColumns = (rows: readonly Values[]): Values =>
  (rows[0] ?? []).map((_, column) => rows.map((row) => row[column]))

/** By their first value: whoever locks the same rows locks them in the same order. */
export const inOrder = (rows: readonly Values[]): readonly Values[] =>
  rows.toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1))

/** One JSON array of objects. What is null is left out, and read as null. */
export const inJson =
  (columns: readonly string[]) =>
  (rows: readonly Values[]): Values => [JSON.stringify(rows.map((row) => objectOf(columns, row)))]

function objectOf(columns: readonly string[], row: Values): Readonly<Record<string, unknown>> {
  const object: Record<string, unknown> = {}
  for (const [index, column] of columns.entries()) {
    const value = row[index]
    if (value !== null && value !== undefined) object[column] = jsonOf(value)
  }
  return object
}

function jsonOf(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString()
  return Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : value
}

/**
 * Rows from array parameters. PostgreSQL would plan anew for each length of an array that it sees; it does not see that of the
 * first one, and takes the longest.
 */
export const rowsFrom = (columns: Readonly<Record<string, string>>): string => {
  const arrays = Object.values(columns).map((type, index) => `$${index + 1}::${type}[]`)
  const [first, ...others] = arrays
  return `unnest(${[`(select ${first})`, ...others].join(', ')}) as given (${Object.keys(columns).join(', ')})`
}
