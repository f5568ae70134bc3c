import { describe, expect, test } from 'vitest'
import { NOW } from '../../tests/support/samples.ts'
import { addAgent, gate, storeBench } from '../../tests/support/store.ts'
import { afterGiving, afterOutcome, afterReport } from '../domain/reputation/changes.ts'
import { newReputation } from '../domain/reputation/reputation.ts'
import { scoreOf } from '../domain/reputation/score.ts'

const bench = storeBench()
const newAgent = (changes = {}) => bench.store.transaction((tx) => addAgent(tx, changes))
const findings = { result: 'pass', coherence: 0.5, capability: 0.25, flagged: true } as const

describe('a reputation', () => {
  test('is there from the registration on', async () => {
    const { id, registeredAt } = await newAgent()
    expect(await bench.store.reputation(id)).toEqual(newReputation(id, registeredAt))
  })

  test('of the house is full of trust', async () => {
    const { id } = await newAgent({ house: true })
    expect((await bench.store.reputation(id))?.trust).toBe(1)
  })

  test('is kept to the last bit', async () => {
    const { id } = await newAgent()
    await bench.store.transaction(async (tx) => {
      const reputation = (await tx.lockReputations([id]))(id)
      const reported = afterReport(reputation, findings, 1 / 3, NOW + 86_400_000)
      const known = afterOutcome(afterGiving(reported, NOW), 'accepted by the timer', NOW + 90_000_000)
      await tx.saveReputation(known)
      expect(await tx.reputation(id)).toEqual(known)
    })
  })

  test('has its score beside it, by which agents are listed', async () => {
    const { id } = await newAgent()
    await bench.store.transaction(async (tx) => {
      const reputation = (await tx.lockReputations([id]))(id)
      await tx.saveReputation(afterReport({ ...reputation, trust: 0.5 }, findings, 1, NOW))
    })
    const known = await bench.store.reputation(id)
    const { rows } = await bench.sql.query('select score from reputations where agent_id = $1', [id])
    expect(rows[0].score).toBeCloseTo(known === null ? -1 : scoreOf(known), 12)
  })

  test('of two agents is locked by two nodes in either order without a circle', async () => {
    const [one, two] = [await newAgent(), await newAgent()]
    const give = (store: typeof bench.store, ids: readonly string[]) =>
      store.transaction(async (tx) => {
        const reputationOf = await tx.lockReputations(ids)
        for (const id of ids) await tx.saveReputation(afterGiving(reputationOf(id), NOW))
      })
    const started = performance.now()
    const rounds = Array.from({ length: 20 }, () => [
      give(bench.store, [one.id, two.id]),
      give(bench.other, [two.id, one.id]),
    ])
    await Promise.all(rounds.flat())
    expect((await bench.store.reputation(one.id))?.given).toBe(40)
    expect(performance.now() - started).toBeLessThan(15_000)
  })
})

describe('trust', () => {
  const numberOf = async (id: string): Promise<number> =>
    (await bench.sql.query('select nr from reputations where agent_id = $1', [id])).rows[0].nr

  test('is saved beside the local score, which stays as it is', async () => {
    const { id } = await newAgent()
    await bench.store.transaction(async (tx) => {
      await tx.saveReputation(afterReport((await tx.lockReputations([id]))(id), findings, 1, NOW))
    })
    const before = await bench.store.reputation(id)
    await bench.store.trust.lease(NOW, NOW + 1)
    await bench.store.trust.save(NOW + 1, [{ nr: await numberOf(id), trust: 0.75 }], NOW + 5)
    await bench.store.trust.conclude(NOW + 1, { changesSeen: 0, computedAt: NOW, tookMs: 1 })
    expect(await bench.store.reputation(id)).toEqual({ ...before, trust: 0.75, computedAt: NOW + 5 })
    const scored = await bench.sql.query('select score - local_score as gained from reputations where agent_id = $1', [
      id,
    ])
    expect(scored.rows[0].gained).toBeCloseTo(0.7 * 0.75, 12)
  })

  test('is computed by one node at a time, and by another when the first is lost', async () => {
    expect(await bench.store.trust.lease(NOW, NOW + 1_000)).toBe(true)
    expect(await bench.other.trust.lease(NOW + 999, NOW + 2_000)).toBe(false)
    expect(await bench.other.trust.lease(NOW + 1_000, NOW + 2_000)).toBe(true)
    const run = { changesSeen: 7, computedAt: NOW, tookMs: 12 }
    expect(await bench.other.trust.conclude(NOW + 2_000, run)).toBe(true)
    expect(await bench.store.trust.lastRun()).toEqual(run)
    expect(await bench.store.trust.lease(NOW, NOW + 1)).toBe(true)
  })

  test('that was computed before another node took over is not written, and ends no lease', async () => {
    const { id } = await newAgent()
    const [slow, quick] = [NOW + 10_000, NOW + 20_000]
    const trust = async () => (await bench.store.reputation(id))?.trust
    const value = async (trusted: number) => [{ nr: await numberOf(id), trust: trusted }]
    expect(await bench.store.trust.lease(NOW + 5_000, slow)).toBe(true)
    expect(await bench.other.trust.lease(slow, quick)).toBe(true)
    await bench.store.trust.save(slow, await value(0.9), NOW)
    expect(await trust()).toBe(0)
    await bench.other.trust.save(quick, await value(0.5), NOW)
    expect(await bench.store.trust.conclude(slow, { changesSeen: 1, computedAt: NOW, tookMs: 1 })).toBe(false)
    expect(await bench.store.trust.lease(slow + 1, quick + 1)).toBe(false)
    expect(await trust()).toBe(0.5)
  })
})

describe('when an agent was seen', () => {
  test('is not noted while somebody else holds the agent, and nobody waits', async () => {
    const { id } = await newAgent()
    const [held, done] = [gate(), gate()]
    const holding = bench.other.transaction(async (tx) => {
      await tx.lockAgent(id)
      held.open()
      await done.opened
    })
    await held.opened
    await bench.store.transaction((tx) => tx.noteSeen(id, NOW))
    expect((await bench.store.agent(id))?.lastSeenAt).toBeNull()
    done.open()
    await holding
    await bench.store.transaction((tx) => tx.noteSeen(id, NOW))
    expect((await bench.store.agent(id))?.lastSeenAt).toBe(NOW)
  })
})

describe('a status', () => {
  const statusOf = async (id: string) => (await bench.store.agent(id))?.status
  const change = <T>(work: Parameters<typeof bench.store.transaction<T>>[0]) => bench.store.transaction(work)

  test('is exact in the tallies, whatever happens to it', async () => {
    const { id } = await newAgent({ status: 'pending' })
    const counted = async () => {
      const search = { words: [], capabilities: [], protocols: [], sort: 'name', limit: 1, offset: 0 } as const
      const count = (status: 'pending' | 'active' | 'suspended') =>
        bench.store.countAgents({ ...search, statuses: [status] })
      const { rows } = await bench.sql.query('select status, count(*)::int from agents group by status')
      const expected = (status: string) => rows.find((row) => row.status === status)?.count ?? 0
      expect([await count('pending'), await count('active'), await count('suspended')]).toEqual(
        ['pending', 'active', 'suspended'].map(expected),
      )
    }
    await counted()
    expect(await change((tx) => tx.suspendAgent(id))).toBe(true)
    expect(await change((tx) => tx.suspendAgent(id))).toBe(false)
    await counted()
    expect(await change((tx) => tx.reinstateAgent(id))).toBe('pending')
    expect(await change((tx) => tx.reinstateAgent(id))).toBeNull()
    expect(await change((tx) => tx.activateAgent(id))).toBe(true)
    expect(await change((tx) => tx.activateAgent(id))).toBe(false)
    expect(await statusOf(id)).toBe('active')
    await counted()
  })
})
