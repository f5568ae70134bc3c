import { DAY } from '@guildhall/protocol'
import { describe, expect, test } from 'vitest'
import { NOW, sampleId } from '../../tests/support/samples.ts'
import { addAgent, storeBench } from '../../tests/support/store.ts'
import type { Agent } from '../domain/agent/agent.ts'
import type { Assignment, Verification } from '../domain/verification/verification.ts'

const bench = storeBench()
const newAgent = (changes: Partial<Agent> = {}) => bench.store.transaction((tx) => addAgent(tx, changes))

async function numberOf({ id }: Agent): Promise<number> {
  return (await bench.sql.query('select nr from reputations where agent_id = $1', [id])).rows[0].nr
}

const report = (verifier: Agent, target: Agent, changes: Partial<Verification> = {}) =>
  bench.store.transaction((tx) =>
    tx.insertVerification({
      id: sampleId('ver'),
      assignmentId: crypto.randomUUID(),
      verifierId: verifier.id,
      targetId: target.id,
      result: 'pass',
      coherence: null,
      flagged: false,
      verifierScore: 0.5,
      document: '{}',
      createdAt: NOW,
      ...changes,
    }),
  )

describe('chance', () => {
  test('chooses the first drawn number that may be taken: not oneself, the house, a suspended agent, or one reported on lately', async () => {
    const [verifier, lately, longAgo] = [await newAgent(), await newAgent(), await newAgent()]
    const [house, suspended] = [await newAgent({ house: true }), await newAgent()]
    await bench.store.transaction((tx) => tx.suspendAgent(suspended.id))
    await report(verifier, lately, { createdAt: NOW - DAY + 1 })
    await report(verifier, longAgo, { createdAt: NOW - DAY })
    const refused: number[] = []
    for (const agent of [verifier, house, suspended, lately]) refused.push(await numberOf(agent))
    const draw = (numbers: readonly number[]) =>
      bench.store.transaction((tx) => tx.drawTarget(verifier.id, NOW - DAY, numbers))
    expect(await draw([...refused, 1_000_000, await numberOf(longAgo), 1])).toBe(longAgo.id)
    expect(await draw(refused)).toBeNull()
    for (const { id } of [verifier, house, suspended, lately]) {
      expect(await bench.store.transaction((tx) => tx.canBeDrawn(verifier.id, NOW - DAY, id))).toBe(false)
    }
    expect(await bench.store.transaction((tx) => tx.canBeDrawn(verifier.id, NOW - DAY, longAgo.id))).toBe(true)
  })

  test('gives everybody in the line the same share of it', async () => {
    const verifier = await newAgent()
    const drawn = new Map<string | null, number>()
    const places = Array.from({ length: 60 }, (_, index) => (index + 0.5) / 60)
    for (const place of places) {
      const id = await bench.store.transaction((tx) => tx.drawFromAll(verifier.id, NOW - DAY, place))
      drawn.set(id, (drawn.get(id) ?? 0) + 1)
    }
    const { rows } = await bench.sql.query(
      `select id from agents where not house and status <> 'suspended' and id <> $1`,
      [verifier.id],
    )
    expect([...drawn.keys()].sort()).toEqual(rows.map(({ id }) => id).sort())
    for (const share of drawn.values()) expect(Math.abs(share - 60 / rows.length)).toBeLessThanOrEqual(1)
    expect(await bench.store.transaction((tx) => tx.drawFromAll(verifier.id, NOW - DAY, 1 - 1e-12))).not.toBeNull()
  })
})

describe('an assignment', () => {
  test('is one per verifier: a new one takes the place of the old', async () => {
    const [verifier, target] = [await newAgent(), await newAgent()]
    const assignment: Assignment = {
      id: crypto.randomUUID(),
      verifierId: verifier.id,
      targetId: target.id,
      nonce: 'n',
      deadline: NOW,
      drawnAt: NOW - 5,
    }
    const renewed = { ...assignment, id: crypto.randomUUID(), nonce: 'm', deadline: NOW + 1 }
    await bench.store.transaction((tx) => tx.saveAssignment(assignment))
    expect(await bench.store.assignmentOf(verifier.id)).toEqual(assignment)
    await bench.store.transaction((tx) => tx.saveAssignment(renewed))
    expect(await bench.other.assignmentOf(verifier.id)).toEqual(renewed)
    await bench.store.transaction((tx) => tx.endAssignment(verifier.id))
    expect(await bench.store.assignmentOf(verifier.id)).toBeNull()
  })
})

test('a target that was given and not reported on counts as given, and is not drawn for a day', async () => {
  const [verifier, target] = [await newAgent(), await newAgent()]
  const [id, nonce] = [crypto.randomUUID(), 'n']
  const assignment = { id, verifierId: verifier.id, targetId: target.id, nonce, deadline: NOW, drawnAt: NOW - 5 }
  const canBeDrawn = (since: number) => bench.store.transaction((tx) => tx.canBeDrawn(verifier.id, since, target.id))
  expect(await canBeDrawn(NOW - DAY)).toBe(true)
  await bench.store.transaction((tx) => tx.noteUnreported(assignment, NOW + DAY))
  await bench.store.transaction((tx) => tx.noteUnreported(assignment, NOW + DAY))
  expect([await canBeDrawn(NOW - 6), await canBeDrawn(NOW - 5)]).toEqual([false, true])
  expect([
    await bench.store.givenSince(verifier.id, NOW - 6),
    await bench.store.givenSince(verifier.id, NOW - 5),
  ]).toEqual([1, 0])
  await bench.store.transaction((tx) => tx.forgetExpired(NOW + DAY))
  expect(await canBeDrawn(NOW - DAY)).toBe(true)
})

describe('a report', () => {
  test('keeps its assignment its verifier’s, and counts as given', async () => {
    const [verifier, target] = [await newAgent(), await newAgent()]
    const assignmentId = crypto.randomUUID()
    await report(verifier, target, { assignmentId })
    expect(await bench.store.verifierOf(assignmentId)).toBe(verifier.id)
    expect(await bench.store.verifierOf(crypto.randomUUID())).toBeNull()
    expect(await bench.store.givenSince(verifier.id, NOW - 1)).toBe(1)
    expect(await bench.store.givenSince(verifier.id, NOW)).toBe(0)
  })

  test('that passes is one more edge for trust, and any other is none', async () => {
    const [verifier, target] = [await newAgent(), await newAgent()]
    const changes = await bench.store.trust.changes()
    for (const result of ['pass', 'pass', 'fail', 'timeout'] as const) await report(verifier, target, { result })
    const [from, to] = [await numberOf(verifier), await numberOf(target)]
    expect(await bench.store.trust.edges({ from, to: to - 1 }, 1)).toEqual([{ from, to, passes: 2 }])
    expect(await bench.store.trust.changes()).toBe(changes + 2)
  })
})
