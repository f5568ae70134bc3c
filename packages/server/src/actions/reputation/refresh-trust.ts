import { MINUTE } from '@guildhall/protocol'
import type { Instant } from '../../domain/instant.ts'
import { eigenTrust, relativeTrust, type TrustGraph } from '../../domain/reputation/eigen-trust.ts'
import { pause, type Timer } from '../../ports/timer.ts'
import type { TrustEdge, TrustNode, TrustStore } from '../../ports/trust-store.ts'
import type { World } from '../../ports/world.ts'

const EVERY_MS = MINUTE
/** Computing trust takes at most one part in REST of the time, however large the network is. */
const REST = 20
const LEASE_MS = 5 * MINUTE
const READ_AT_ONCE = 10_000
const WRITTEN_AT_ONCE = 500
/** Smaller than any difference that a score shows. */
const TOO_LITTLE = 1e-6

/** `busy`: another node, or another loop of this one, holds the lease, or took it because this run was held up for too long. */
export type Refreshed = 'computed' | 'not due' | 'busy'

/** Recomputes the network's trust when something has changed it, one node at a time. */
export async function refreshTrust(world: World): Promise<Refreshed> {
  const { trust } = world.store
  const now = world.clock.now()
  const last = await trust.lastRun()
  if (now - last.computedAt < Math.max(EVERY_MS, REST * last.tookMs)) return 'not due'
  // Read before the reports, so that whatever comes later counts as a change next time.
  const changesSeen = await trust.changes()
  if (changesSeen === last.changesSeen) return 'not due'
  const leasedUntil = now + LEASE_MS
  if (!(await trust.lease(now, leasedUntil))) return 'busy'
  const began = world.timer.elapsed()
  const changed = await recompute(world, leasedUntil)
  const tookMs = Math.round(world.timer.elapsed() - began)
  if (!(await trust.conclude(leasedUntil, { changesSeen, computedAt: now, tookMs }))) return 'busy'
  world.log.info('trust was computed', { changed, took_ms: tookMs })
  return 'computed'
}

async function recompute({ store: { trust }, clock, timer }: World, leasedUntil: Instant): Promise<number> {
  const standings = await readStandings(trust)
  const house = standings.find((standing) => standing.house)?.nr
  if (house === undefined) return 0
  const graph = await readGraph(trust, timer, standings, house)
  const values = relativeTrust(await inTurns(timer, eigenTrust(graph)), house)
  const changed = standings
    .map(({ nr, trust: before }) => ({ nr, before, trust: values[nr] ?? 0 }))
    .filter(({ before, trust: after }) => Math.abs(after - before) > TOO_LITTLE)
  for (let start = 0; start < changed.length; start += WRITTEN_AT_ONCE) {
    await trust.save(leasedUntil, changed.slice(start, start + WRITTEN_AT_ONCE), clock.now())
  }
  return changed.length
}

async function readStandings(trust: TrustStore): Promise<readonly TrustNode[]> {
  const all: TrustNode[] = []
  for (let after = 0; ; ) {
    const page = await trust.standings(after, READ_AT_ONCE)
    all.push(...page)
    if (page.length < READ_AT_ONCE) return all
    after = page.at(-1)?.nr ?? after
  }
}

/** Reports by suspended agents do not count. Read page by page, so that other work is not held up. */
async function readGraph(
  trust: TrustStore,
  timer: Timer,
  standings: readonly TrustNode[],
  house: number,
): Promise<TrustGraph> {
  const silenced = new Set(standings.filter(({ suspended }) => suspended).map(({ nr }) => nr))
  const size = (standings.at(-1)?.nr ?? 0) + 1
  const counts = ({ from, to }: TrustEdge) => !silenced.has(from) && from < size && to < size
  const pages: TrustEdge[][] = []
  for (let after = { from: 0, to: 0 }; ; ) {
    const page = await trust.edges(after, READ_AT_ONCE)
    pages.push(page.filter(counts))
    after = page.at(-1) ?? after
    if (page.length < READ_AT_ONCE) break
  }
  const edges = pages.reduce((sum, page) => sum + page.length, 0)
  const graph = { size, house, from: new Int32Array(edges), to: new Int32Array(edges), passes: new Float64Array(edges) }
  let edge = 0
  for (const page of pages) {
    for (const { from, to, passes } of page) {
      graph.from[edge] = from
      graph.to[edge] = to
      graph.passes[edge] = passes
      edge++
    }
    await pause(timer, 0)
  }
  return graph
}

/** Yields to the event loop after each round. */
async function inTurns(timer: Timer, rounds: Generator<void, Float64Array>): Promise<Float64Array> {
  for (;;) {
    const round = rounds.next()
    if (round.done) return round.value
    await pause(timer, 0)
  }
}
