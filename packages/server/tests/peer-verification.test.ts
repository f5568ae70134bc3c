import { DAY, hashDocument, type JsonObject, limits, SECOND } from '@guildhall/protocol'
import type { PeerFindings } from '@guildhall/sdk'
import { describe, expect, test } from 'vitest'
import { suspendAgent } from '../src/actions/agents/suspend-agent.ts'
import { newAgent, type Player } from './support/cast.ts'
import { refusalOf } from './support/refusals.ts'
import { drawUntil, reportOf, submit } from './support/reports.ts'
import { setStage } from './support/stage.ts'

const stage = setStage({ nodes: 2 })
const { deadlineMs } = limits.verification

const PASSED: PeerFindings = {
  result: 'pass',
  response_time_ms: 850,
  coherence_score: 0.9,
  notes: 'Did what it said.',
  structured_report: { capabilities_confirmed: ['anything'], tool_honesty: true, safety_issues: false },
}

const assignmentOf = (player: Player, node = 0) => player.with({ node }).call('getAssignment')

describe('a peer verification', () => {
  test('is assigned, performed, signed and reported, and moves only the two whom it concerns', async () => {
    const [verifier, bystander] = [await newAgent(stage), await newAgent(stage)]
    const answer = await verifier.client.agents.verify((assignment) => {
      expect(assignment.target.capabilities).toEqual(['anything'])
      return PASSED
    })
    const { assignment, ...outcome } = answer
    const target = assignment.target.agent_id
    expect(outcome).toMatchObject({ ok: true, safety_flagged: false, verifier_reputation_delta: 0 })
    expect(outcome.target_reputation_delta).toBeGreaterThan(0.05)

    const reputation = await stage.client().agents.reputation(target)
    expect(reputation).toMatchObject({
      reputation_score: outcome.target_reputation_delta,
      verifications_received: 1,
      safety_flags: 0,
      penalty: 0,
      trust: 0,
      breakdown: {
        pass_rate: 1,
        coherence: 0.9,
        contribution: 0,
        uptime: 1,
        cap_confirmation_rate: 1,
        task_completion: 0,
      },
    })
    const raw = 0.35 + 0.2 * 0.9 + 0.15 + 0.15
    expect(reputation.raw_score).toBeCloseTo(raw, 6)
    expect(reputation.confidence).toBeCloseTo(Math.log(2) / Math.log(21), 6)
    expect(reputation.reputation_score).toBeCloseTo((0.3 * raw * Math.log(2)) / Math.log(21), 6)
    expect(await stage.client().agents.get(target)).toMatchObject({
      reputation_score: reputation.reputation_score,
      verification_count: 1,
    })
    expect(await verifier.client.agents.reputation()).toMatchObject({
      verifications_given: 1,
      verifications_received: 0,
    })
    if (target !== bystander.id) {
      expect(await bystander.client.agents.reputation()).toMatchObject({ reputation_score: 0, verifications_given: 0 })
    }
  })

  test('is on the ledger by its verifier, and the target is told with all that it takes to check it', async () => {
    const [verifier, target] = [await newAgent(stage), await newAgent(stage)]
    await drawUntil(verifier, target.id)
    const { verification_id, target_reputation_delta, chain_sequence, chain_entry_hash } =
      await verifier.client.agents.verify(() => PASSED)
    const entry = await stage.client().chain.entry(chain_sequence ?? 0)
    expect(entry).toMatchObject({ entry_type: 'verification', agent_id: verifier.id, entry_hash: chain_entry_hash })
    const { events } = await target.client.events.list({ type: 'verification.received' })
    const [event] = events
    expect(event).toMatchObject({ ref_kind: 'verification', ref_id: verification_id, actor_id: verifier.id })
    expect(event?.payload).toMatchObject({ result: 'pass', report: { notes: 'Did what it said.' } })
    expect(event?.payload.reputation_delta).toBe(target_reputation_delta)
    expect(hashDocument(event?.payload.report as JsonObject)).toBe(entry.profile_hash)
  })

  test('that raises a safety flag costs the target', async () => {
    const verifier = await newAgent(stage)
    const found = { ...PASSED, structured_report: { safety_issues: ['leaked a key'], unauthorized_actions: true } }
    const { safety_flagged, assignment } = await verifier.client.agents.verify(() => found)
    expect(safety_flagged).toBe(true)
    const { safety_flags, penalty } = await stage.client().agents.reputation(assignment.target.agent_id)
    expect(safety_flags).toBe(1)
    expect(penalty).toBeGreaterThan(0)
  })

  test('that fails or times out lowers what passes have made', async () => {
    const [first, second, third, target] = await Promise.all([1, 2, 3, 4].map(() => newAgent(stage)))
    if (!first || !second || !third || !target) return
    for (const verifier of [first, second, third]) await drawUntil(verifier, target.id)
    await first.client.agents.verify(() => PASSED)
    await second.client.agents.verify(() => ({ result: 'fail', coherence_score: 0 }))
    await third.client.agents.verify(() => ({ result: 'timeout' }))
    const { breakdown, verifications_received } = await target.client.agents.reputation()
    expect(verifications_received).toBe(3)
    expect(breakdown.pass_rate).toBeCloseTo(1 / 3, 2)
    expect(breakdown.uptime).toBeCloseTo(2 / 3, 2)
  })
})

describe('an assignment', () => {
  test('is one at a time: asking again, also elsewhere and at the same moment, gives the open one', async () => {
    const verifier = await newAgent(stage)
    const asked = await Promise.all([0, 1, 0, 1].map((node) => assignmentOf(verifier, node)))
    expect(new Set(asked.map(({ assignment_id }) => assignment_id)).size).toBe(1)
    expect(await assignmentOf(verifier)).toEqual(asked[0])
  })

  test('names neither the verifier itself nor the house, nor the same target twice in 24 hours', async () => {
    const verifier = await newAgent(stage)
    const { pagination } = await stage.client().agents.search({ limit: 1 })
    const seen: string[] = []
    for (;;) {
      const outcome = await verifier.client.agents
        .verify(() => ({ result: 'timeout' }))
        .catch((error: unknown) => error)
      if (outcome instanceof Error) {
        await refusalOf(Promise.reject(outcome), 'no_assignment')
        break
      }
      seen.push((outcome as { assignment: { target: { agent_id: string } } }).assignment.target.agent_id)
    }
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen).not.toContain(verifier.id)
    expect(seen).not.toContain((await stage.client().agents.get('Guildhall House')).agent_id)
    expect(seen.length).toBe(pagination.total - 2)
    await stage.travel(DAY + SECOND)
    expect(seen).toContain((await assignmentOf(verifier)).target.agent_id)
  })

  test('ends after ten minutes; then another target is given, and none when all were given in 24 hours', async () => {
    const verifier = await newAgent(stage)
    const first = await assignmentOf(verifier)
    const report = await reportOf(stage, verifier)
    await stage.travel(deadlineMs)
    const refused = await refusalOf(submit(verifier, report), 'conflict')
    expect(refused.fields.status).toBe('expired')
    const { pagination } = await stage.client().agents.search({ limit: 1 })
    const given = [first]
    while (given.length < pagination.total - 2) {
      const next = await assignmentOf(verifier)
      expect(given.map(({ target }) => target.agent_id)).not.toContain(next.target.agent_id)
      expect(given.map(({ nonce }) => nonce)).not.toContain(next.nonce)
      given.push(next)
      await stage.travel(deadlineMs)
    }
    await refusalOf(assignmentOf(verifier), 'no_assignment')
    await stage.travel(DAY)
    expect(given.map(({ target }) => target.agent_id)).toContain((await assignmentOf(verifier)).target.agent_id)
  })

  test('passes on when its target is suspended meanwhile', async () => {
    const verifier = await newAgent(stage)
    const { target } = await assignmentOf(verifier)
    await suspendAgent(stage.node().service.world, target.agent_id, null)
    expect((await assignmentOf(verifier)).target.agent_id).not.toBe(target.agent_id)
  })

  test('is not given to a suspended agent', async () => {
    const verifier = await newAgent(stage)
    await suspendAgent(stage.node().service.world, verifier.id, null)
    await refusalOf(assignmentOf(verifier), 'agent_not_active')
  })
})
