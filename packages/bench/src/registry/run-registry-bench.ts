import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startParts } from '@guildhall/sandbox'
import { createLog, migrate } from '@guildhall/server/desk'
import type { Pool } from 'pg'
import { type Column, formatTable } from '../report/table.ts'
import { openDatabase } from '../stage/open-database.ts'
import { startServiceNode } from '../stage/start-service-node.ts'
import { searchCases } from './search-cases.ts'
import { seedRegistry, seedReports } from './seed-registry.ts'

export type RegistryPlan = { readonly agents: number; readonly reports: number; readonly searches: number }

export const FULL_REGISTRY: RegistryPlan = { agents: 100_000, reports: 1_000_000, searches: 50 }
export const QUICK_REGISTRY: RegistryPlan = { agents: 2_000, reports: 10_000, searches: 5 }

export type SearchTimes = {
  readonly name: string
  readonly total: number
  readonly medianMs: number
  readonly slowestMs: number
}
export type RegistrySummary = { readonly searches: readonly SearchTimes[]; readonly trustMs: number }

/** How long searches and the computation of trust take in a large registry; one after the other, over HTTP. */
export async function runRegistryBench(plan: RegistryPlan, tell: (line: string) => void): Promise<RegistrySummary> {
  const dataDir = await mkdtemp(join(tmpdir(), 'guildhall-bench-'))
  const parts = await startParts({ dataDir, databaseUrl: null, log: () => {} })
  const database = openDatabase(parts.databaseUrl, 2)
  try {
    await migrate(parts.databaseUrl, createLog('warn'))
    const node = await startServiceNode(parts, dataDir, parts.databaseUrl)
    try {
      tell(`filling a registry with ${plan.agents.toLocaleString('en')} agents …`)
      await seedRegistry(database, plan.agents)
      tell('searching …')
      const searches: SearchTimes[] = []
      for (const [name, query] of Object.entries(searchCases))
        searches.push(await timeSearch(node.url, name, query, plan))
      tell(`adding ${plan.reports.toLocaleString('en')} reports …`)
      await seedReports(database, plan.reports)
      return { searches, trustMs: await trustTime(database) }
    } finally {
      await node.stop()
    }
  } finally {
    await database.end()
    await parts.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function timeSearch(
  url: string,
  name: string,
  query: Readonly<Record<string, string>>,
  { searches }: RegistryPlan,
): Promise<SearchTimes> {
  const times: number[] = []
  let total = 0
  for (let nr = 0; nr < searches; nr++) {
    const began = performance.now()
    const answer = await fetch(`${url}/v1/agents/search?${new URLSearchParams(query)}`)
    if (answer.status !== 200) throw new Error(`${name} was answered with ${answer.status}: ${await answer.text()}`)
    const body = (await answer.json()) as { readonly pagination: { readonly total: number } }
    times.push(performance.now() - began)
    total = body.pagination.total
  }
  const sorted = times.toSorted((a, b) => a - b)
  return { name, total, medianMs: sorted[searches >> 1] ?? 0, slowestMs: sorted.at(-1) ?? 0 }
}

const LOOK_EVERY_MS = 500
const PATIENCE_MS = 10 * 60_000

/** The node notices by itself that trust has to be computed. */
async function trustTime(database: Pool): Promise<number> {
  for (let waited = 0; waited < PATIENCE_MS; waited += LOOK_EVERY_MS) {
    const { rows } = await database.query('select took_ms from trust_runs where changes_seen > 0')
    if (rows[0]) return rows[0].took_ms
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }
  throw new Error('Trust was not computed.')
}

const columns: readonly Column<SearchTimes>[] = [
  { title: 'search', cell: ({ name }) => name, left: true },
  { title: 'found', cell: ({ total }) => total.toLocaleString('en') },
  { title: 'p50 ms', cell: ({ medianMs }) => medianMs.toFixed(1) },
  { title: 'slowest ms', cell: ({ slowestMs }) => slowestMs.toFixed(1) },
]

export const formatRegistrySummary = ({ searches, trustMs }: RegistrySummary): string =>
  `${formatTable(columns, searches)}\n\ntrust computed in ${(trustMs / 1000).toFixed(1)} s`
