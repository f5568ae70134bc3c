import type { Plan } from '../plan.ts'
import { type Column, formatTable } from '../report/table.ts'
import type { Memory } from '../stage/start-process.ts'
import { startStage } from '../stage/start-stage.ts'
import { createRig } from '../under-load/rig.ts'
import { slopeOf } from './slope.ts'

export type Soaking = { readonly plan: Plan; readonly minutes: number; readonly tell: (line: string) => void }
export type Sample = Memory & { readonly minutes: number; readonly requests: number }
export type Soaked = { readonly samples: readonly Sample[]; readonly peak: number }

const SECONDS_AT_A_TIME = 10
const MINUTE_MS = 60_000
const MB = 1024 * 1024
/** Memory is judged after this share of the run: until then caches fill and code is compiled. */
const SETTLED_AFTER = 0.4
const MOST_GROWTH = 0.05
/** Enough to fill the cache: documents of 2 to 3 kB, of which 64 MB are kept. */
const FILLING_READS = 40_000

/** Claims are never released here, and an agent may hold only about a hundred: this factor lasts for an hour. */
const MORE_AGENTS = 4

/** The mix at full rate for `minutes`; memory is sampled in between, after a garbage collection. */
export async function runSoak({ plan: usual, minutes, tell }: Soaking, signal: AbortSignal): Promise<Soaked> {
  const plan = { ...usual, agents: usual.agents * MORE_AGENTS }
  const stage = await startStage(plan, tell)
  try {
    const rig = createRig(plan, stage)
    tell('filling the cache of documents …')
    await rig.readMany(FILLING_READS)
    const peak = await rig.peak()
    tell(`the peak is ${Math.round(peak).toLocaleString('en')} requests a second …`)
    const samples: Sample[] = []
    const began = performance.now()
    for (let requests = 0, passed = 0; passed < minutes; ) {
      signal.throwIfAborted()
      requests += await rig.busy(SECONDS_AT_A_TIME)
      passed = (performance.now() - began) / MINUTE_MS
      const sample = { ...(await stage.large.server.memory()), minutes: passed, requests }
      samples.push(sample)
      tell(`${passed.toFixed(1)} min: ${requests.toLocaleString('en')} requests, ${inMb(sample.rss)} MB resident`)
    }
    return { samples, peak }
  } finally {
    await stage.stop()
  }
}

const inMb = (bytes: number): string => (bytes / MB).toFixed(1)

const columns: readonly Column<Sample>[] = [
  { title: 'after min', cell: ({ minutes }) => minutes.toFixed(1) },
  { title: 'requests', cell: ({ requests }) => requests.toLocaleString('en') },
  { title: 'resident MB', cell: ({ rss }) => inMb(rss) },
  { title: 'heap MB', cell: ({ heapUsed }) => inMb(heapUsed) },
  { title: 'buffers MB', cell: ({ arrayBuffers }) => inMb(arrayBuffers) },
  { title: 'handles', cell: ({ handles }) => String(handles) },
]
const ROWS = 10

/** A few of the samples, and the verdict. */
export function formatSoak({ samples, peak }: Soaked): string {
  const every = Math.max(1, Math.floor(samples.length / ROWS))
  const shown = samples.filter((_, at) => (samples.length - 1 - at) % every === 0)
  return `${formatTable(columns, shown)}\n\n${verdictOn(samples, peak)}`
}

function verdictOn(samples: readonly Sample[], peak: number): string {
  const settled = samples.slice(Math.floor(samples.length * SETTLED_AFTER))
  const [first, last] = [settled[0], settled.at(-1)]
  if (first === undefined || last === undefined) return 'Nothing was measured.'
  const growth = (slopeOf(settled.map(({ rss }) => rss)) * (settled.length - 1)) / first.rss
  const hours = last.requests / (peak / 2) / 3_600
  return (
    `${last.requests.toLocaleString('en')} requests, as many as ${hours.toFixed(1)} h of half load bring. Resident memory of the last ` +
    `${Math.round((1 - SETTLED_AFTER) * 100)} % of them rose by ${(growth * 100).toFixed(1)} % ` +
    `(aim: ≤ ${MOST_GROWTH * 100} %, ${growth <= MOST_GROWTH ? 'reached' : 'not yet'}).`
  )
}
