import { Gauge, type Registry } from 'prom-client'

type Value = { readonly value: number | null; readonly labels: Readonly<Record<string, string>> }

/** One gauge: what it shows, and how its values are found in what was read. */
export type GaugeRow<Read> = {
  readonly help: string
  readonly labels: readonly string[]
  readonly values: (read: Read) => readonly Value[]
}

export type GaugeTable<Read> = Readonly<Record<string, GaugeRow<Read>>>

/** A gauge with a single value; null shows as NaN. */
export const single = <Read>(help: string, value: (read: Read) => number | null): GaugeRow<Read> => ({
  help,
  labels: [],
  values: (read) => [{ value: value(read), labels: {} }],
})

/** Registers the gauges of a table, and returns the function that shows what was read. */
export function registerGauges<Read>(table: GaugeTable<Read>, registry: Registry): (read: Read) => void {
  const gauges = Object.entries(table).map(([name, { help, labels, values }]) => ({
    gauge: new Gauge({ name, help, labelNames: [...labels], registers: [registry] }),
    values,
  }))
  return (read) => {
    for (const { gauge, values } of gauges) {
      gauge.reset()
      for (const { value, labels } of values(read)) gauge.set(labels, value ?? Number.NaN)
    }
  }
}
