import type { Span } from '../spans/span.ts'
import type { LineSummary, RatioSummary, Summary } from './summary.ts'

export type Column<T> = { readonly title: string; readonly cell: (value: T) => string; readonly left?: boolean }

const whole = (value: number): string => (Number.isNaN(value) ? '' : Math.round(value).toLocaleString('en'))
const ms = (value: number): string => value.toFixed(value < 10 ? 2 : 1)

const lineColumns: readonly Column<LineSummary>[] = [
  { title: 'line', cell: ({ name }) => name, left: true },
  { title: 'requests/s', cell: ({ requestsPerSecond }) => whole(requestsPerSecond) },
  { title: 'p50 ms', cell: ({ p50Ms }) => ms(p50Ms) },
  { title: 'p99 ms', cell: ({ p99Ms }) => ms(p99Ms) },
  { title: 'Node CPU µs', cell: ({ cpuMicroseconds }) => whole(cpuMicroseconds) },
  { title: 'PostgreSQL CPU µs', cell: ({ postgresMicroseconds }) => whole(postgresMicroseconds) },
]

const ratioColumns: readonly Column<RatioSummary>[] = [
  { title: 'ratio of rates', cell: ({ line, against }) => `${line} : ${against.join(' or ')}`, left: true },
  { title: 'measured', cell: ({ ratio }) => ratio.toFixed(2) },
  { title: 'aim', cell: ({ atLeast }) => (atLeast === null ? '' : `≥ ${atLeast.toFixed(2)}`) },
  { title: '', cell: ({ ratio, atLeast }) => (atLeast === null ? '' : ratio >= atLeast ? 'reached' : 'not yet') },
]

const spanColumns: readonly Column<Span>[] = [
  { title: 'once', cell: ({ name }) => name, left: true },
  { title: 'measured', cell: ({ measured }) => measured },
  { title: 'aim', cell: ({ aim }) => aim ?? '' },
  { title: '', cell: ({ reached }) => (reached === null ? '' : reached ? 'reached' : 'not yet') },
]

/** All tables, aligned, in Markdown that reads well as plain text too. */
export const formatSummary = ({ lines, ratios, spans }: Summary & { readonly spans: readonly Span[] }): string =>
  [
    formatTable(lineColumns, lines),
    ...(ratios.length === 0 ? [] : [formatTable(ratioColumns, ratios)]),
    ...(spans.length === 0 ? [] : [formatTable(spanColumns, spans)]),
  ].join('\n\n')

export function formatTable<T>(columns: readonly Column<T>[], values: readonly T[]): string {
  const rows = [columns.map(({ title }) => title), ...values.map((value) => columns.map(({ cell }) => cell(value)))]
  const widths = columns.map((_, at) => Math.max(3, ...rows.map((row) => row[at]?.length ?? 0)))
  const [head = [], ...body] = rows
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, at) => pad(cell, widths[at] ?? 0, columns[at]?.left === true)).join(' | ')} |`
  const rule = `|${widths.map((width, at) => `${'-'.repeat(width + 1)}${columns[at]?.left ? '-' : ':'}`).join('|')}|`
  return [line(head), rule, ...body.map(line)].join('\n')
}

const pad = (text: string, width: number, left: boolean): string => (left ? text.padEnd(width) : text.padStart(width))
