import { inJson, type RowStatement } from './row-statement.ts'

/** How values of one kind are laid out in a table: the one place that knows its columns. */
export type Table<Row, Value> = {
  readonly name: string
  readonly columns: readonly string[]
  readonly write: { readonly [Column in keyof Row]: (value: Value) => unknown }
  readonly read: (row: Row) => Value
}

export const table = <Row, Value>(
  name: string,
  write: Table<Row, Value>['write'],
  read: (row: Row) => Value,
): Table<Row, Value> => ({ name, columns: Object.keys(write), write, read })

export type Statement<Value> = {
  readonly text: string
  /** The first unused placeholder. */
  readonly next: string
  /** The next `count` unused placeholders. */
  free(count: number): readonly string[]
  values(value: Value): readonly unknown[]
}

/** SQL expressions by column, each around the column's placeholder. */
type Computed = Readonly<Record<string, (value: string) => string>>

const placeholders = (columns: readonly string[], first: number, computed: Computed): string =>
  columns.map((column, index) => computed[column]?.(`$${first + index}`) ?? `$${first + index}`).join(', ')

const freeAfter = (used: number) => (count: number) =>
  Array.from({ length: count }, (_, index) => `$${used + index + 1}`)

const valuesOf =
  <Row, Value>({ write }: Table<Row, Value>, columns: readonly string[]) =>
  (value: Value): readonly unknown[] =>
    columns.map((column) => write[column as keyof Row](value))

/** `more` names columns whose values the caller appends. */
export function insertInto<Row, Value>(
  target: Table<Row, Value>,
  more: readonly string[] = [],
  computed: Computed = {},
): Statement<Value> {
  const columns = [...target.columns, ...more]
  return {
    text: `insert into ${target.name} (${columns.join(', ')}) values (${placeholders(columns, 1, computed)})`,
    next: `$${columns.length + 1}`,
    free: freeAfter(columns.length),
    values: valuesOf(target, target.columns),
  }
}

/** The same for one or many rows. */
export function insertRowsInto<Row, Value>(target: Table<Row, Value>): RowStatement & Pick<Statement<Value>, 'values'> {
  const { text, values } = insertInto(target)
  const columns = target.columns.join(', ')
  const many = `
insert into ${target.name} (${columns})
select ${columns} from json_populate_recordset(null::${target.name}, $1)`
  return { one: text, many, pack: inJson(target.columns), values }
}

/** Writes every column but the fixed ones; the key is $1 and comes first among the values. */
export function updateAllBut<Row, Value>(
  target: Table<Row, Value>,
  key: keyof Row & string,
  fixed: readonly (keyof Row & string)[],
  computed: Computed = {},
): Statement<Value> {
  const changing = target.columns.filter((column) => column !== key && !fixed.some((name) => name === column))
  return {
    text: `update ${target.name} set (${changing.join(', ')}) = row(${placeholders(changing, 2, computed)}) where ${key} = $1`,
    next: `$${changing.length + 2}`,
    free: freeAfter(changing.length + 1),
    values: valuesOf(target, [key, ...changing]),
  }
}

export const columnsOf = <Row, Value>({ columns }: Table<Row, Value>, alias: string): string =>
  columns.map((column) => `${alias}.${column}`).join(', ')

/** The columns of a joined table, told apart from others by a prefix. */
export const prefixedColumnsOf = <Row, Value>({ columns }: Table<Row, Value>, alias: string): string =>
  columns.map((column) => `${alias}.${column} as "${alias}.${column}"`).join(', ')

/** Reads a joined table out of a row; null when the join found nothing. */
export function readPrefixed<Row, Value>(
  { columns, read }: Table<Row, Value>,
  alias: string,
  row: Readonly<Record<string, unknown>>,
): Value | null {
  if (row[`${alias}.id`] === null) return null
  const part = Object.fromEntries(columns.map((column) => [column, row[`${alias}.${column}`]]))
  return read(part as Row)
}
