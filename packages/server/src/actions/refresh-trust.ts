import { MINUTE } from '@guildhall/protocol'
import { eigenTrust, relativeTrust, type TrustGraph } from '../domain/reputation/eigen-trust.ts'
import type { TrustStore } from '../ports/trust-store.ts'
import type { World } from '../ports/world.ts'

const EVERY_MS = MINUTE
/** However large the network is, computing its trust takes a twentieth of the time at most. */
const REST = 20
const LEASE_MS = 5 * MINUTE
const READ_AT_ONCE = 10_000
const WRITTEN_AT_ONCE = 500
/** A difference that no score shows. */
const TOO_LITTLE = 1e-6

/** Computes the network's trust anew when something has moved it, on one node at a time; says whether it did. */
export async function refreshTrust(world: World): Promise<boolean> {
  const { trust } = world.store
  const now = world.clock.now()
  const last = await trust.lastRun()
  if (now - last.computedAt < Math.max(EVERY_MS, REST * last.tookMs)) return false
  // Read before the reports are: whatever comes later is seen as a change the next time.
  const changesSeen = await trust.changes()
  if (changesSeen === last.changesSeen || !(await trust.lease(now, now + LEASE_MS))) return false
  const changed = await recompute(world)
  const tookMs = world.clock.now() - now
  await trust.conclude({ changesSeen, computedAt: now, tookMs })
  world.log.info('trust was computed', { changed, took_ms: tookMs })
  return true
}

type Standing = Awaited<ReturnType<TrustStore['standings']>>[number]

async function recompute({ store: { trust }, clock }: World): Promise<number> {
  const standings = await readStandings(trust)
  const house = standings.find((standing) => standing.house)?.nr
  if (house === undefined) return 0
  const graph = await readGraph(trust, standings, house)
  const values = relativeTrust(await inTurns(eigenTrust(graph)), house)
  const changed = standings
    .map(({ nr, trust: before }) => ({ nr, before, trust: values[nr] ?? 0 }))
    .filter(({ before, trust: after }) => Math.abs(after - before) > TOO_LITTLE)
  for (let start = 0; start < changed.length; start += WRITTEN_AT_ONCE) {
    await trust.save(changed.slice(start, start + WRITTEN_AT_ONCE), clock.now())
  }
  return changed.length
}

async function readStandings(trust: TrustStore): Promise<readonly Standing[]> {
  const all: Standing[] = []
  for (let after = 0; ; ) {
    const page = await trust.standings(after, READ_AT_ONCE)
    all.push(...page)
    if (page.length < READ_AT_ONCE) return all
    after = page.at(-1)?.nr ?? after
  }
}

/** What a suspended agent has said of others does not count. */
async function readGraph(trust: TrustStore, standings: readonly Standing[], house: number): Promise<TrustGraph> {
  const silenced = new Set(standings.filter(({ suspended }) => suspended).map(({ nr }) => nr))
  const size = (standings.at(-1)?.nr ?? 0) + 1
  const [from, to, passes]: [number[], number[], number[]] = [[], [], []]
  for (let after = { from: 0, to: 0 }; ; ) {
    const page = await trust.edges(after, READ_AT_ONCE)
    for (const edge of page) {
      if (silenced.has(edge.from) || edge.from >= size || edge.to >= size) continue
      from.push(edge.from)
      to.push(edge.to)
      passes.push(edge.passes)
    }
    after = page.at(-1) ?? after
    if (page.length < READ_AT_ONCE) break
  }
  return { size, house, from: Int32Array.from(from), to: Int32Array.from(to), passes: Float64Array.from(passes) }
}

/** Lets everything else have its turn after each round. */
async function inTurns(rounds: Generator<void, Float64Array>): Promise<Float64Array> {
  for (;;) {
    const round = rounds.next()
    if (round.done) return round.value
    await new Promise((resolve) => setTimeout(resolve, 0))
  }
}
