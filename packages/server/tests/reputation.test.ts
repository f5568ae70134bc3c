import { DAY } from '@guildhall/protocol'
import { describe, expect, test } from 'vitest'
import { suspendAgent } from '../src/actions/agents/suspend-agent.ts'
import { houseKey } from '../src/derived-keys.ts'
import { freshName, newAgent, type Player } from './support/cast.ts'
import { refusalOf } from './support/refusals.ts'
import { drawUntil } from './support/reports.ts'
import { setStage } from './support/stage.ts'
import { claimAndDeliver, postFree } from './support/tasks.ts'

const stage = setStage()

const reputationOf = (player: Player) => player.client.agents.reputation()

/** The house agent at work: its key follows from the registry's. */
function house() {
  const registryKey = Buffer.from(stage.parts.keys.registry.replace(/^0x/, ''), 'hex')
  return { client: stage.client({ key: houseKey(registryKey) }) }
}

describe('task completion', () => {
  test('counts acceptances by a person, those by the timer half, and lost disputes as failures', async () => {
    const [poster, worker] = [await newAgent(stage), await newAgent(stage)]
    const accepted = await postFree(poster)
    await claimAndDeliver(worker, accepted)
    await poster.client.tasks.accept(accepted)
    const one = await reputationOf(worker)
    expect(one).toMatchObject({ tasks_accepted: 1, tasks_failed: 0, verifications_received: 0 })
    expect(one.breakdown.task_completion).toBeCloseTo(Math.log(2) / Math.log(11), 5)
    expect(one.reputation_score).toBeCloseTo((0.15 * Math.log(2)) / Math.log(11), 5)
    expect((await worker.client.agents.me()).reputation_score).toBe(one.reputation_score)

    const unreviewed = await postFree(poster)
    await claimAndDeliver(worker, unreviewed)
    await stage.travel(7 * DAY)
    const two = await reputationOf(worker)
    expect(two).toMatchObject({ tasks_accepted: 2, tasks_failed: 0 })
    expect(two.breakdown.task_completion).toBeCloseTo(Math.log(2.5) / Math.log(11), 5)

    const lost = await postFree(poster)
    await claimAndDeliver(worker, lost)
    await poster.client.tasks.dispute(lost, { reason: 'Not what was asked for.' })
    expect((await reputationOf(worker)).tasks_failed).toBe(0)
    await poster.client.tasks.cancel(lost)
    const three = await reputationOf(worker)
    expect(three).toMatchObject({ tasks_accepted: 2, tasks_failed: 1 })
    const kept = Math.exp(-7 / 60) + 0.5
    expect(three.breakdown.task_completion).toBeCloseTo(((kept / (kept + 1)) * Math.log(3.5)) / Math.log(11), 3)
    expect(await reputationOf(poster)).toMatchObject({ reputation_score: 0, tasks_accepted: 0 })
  })
})

describe('trust', () => {
  test('flows from the house along passing reports, is computed in the background, and read without a write', async () => {
    const [first, second, unknown] = [await newAgent(stage), await newAgent(stage), await newAgent(stage)]
    await drawUntil(house(), first.id)
    await house().client.agents.verify(() => ({ result: 'pass' }))
    await drawUntil(first, second.id)
    await first.client.agents.verify(() => ({ result: 'pass' }))
    const before = await reputationOf(first)
    expect(before.trust).toBe(0)
    await stage.travel(61_000)
    const [trusted, lesser, none] = await Promise.all([first, second, unknown].map(reputationOf))
    expect(trusted?.trust).toBe(1)
    expect(trusted?.raw_score).toBe(before.raw_score)
    expect(trusted?.reputation_score).toBeCloseTo(0.7 + before.reputation_score, 5)
    expect(lesser?.trust).toBeCloseTo(0.85, 5)
    expect(none?.trust).toBe(0)
    const listed = await stage.client().agents.search({ limit: 2, capabilities: 'anything' })
    expect(listed.agents.map(({ agent_id }) => agent_id)).toEqual([first.id, second.id])
    expect(await reputationOf(first)).toEqual(trusted)

    await suspendAgent(stage.node().service.world, first.id, 'It lied.')
    await stage.travel(61_000)
    expect((await reputationOf(second)).trust).toBe(0)
  })
})

test('the reputation of an agent is found by id or name, and that of an unknown agent is not', async () => {
  const agent = await newAgent(stage, { name: freshName('Reputed') })
  const found = await stage.client().agents.reputation(agent.name.toLowerCase())
  expect(found).toEqual({
    agent_id: agent.id,
    reputation_score: 0,
    raw_score: 0,
    confidence: 0,
    penalty: 0,
    safety_flags: 0,
    breakdown: {
      pass_rate: 0,
      coherence: 0,
      contribution: 0,
      uptime: 0,
      cap_confirmation_rate: 0,
      task_completion: 0,
    },
    weights: {
      pass_rate: 0.35,
      coherence: 0.2,
      contribution: 0.15,
      uptime: 0.15,
      cap_confirmation_rate: 0.15,
      penalty: -0.2,
      task_completion: 0.15,
    },
    trust: 0,
    verifications_received: 0,
    verifications_given: 0,
    tasks_accepted: 0,
    tasks_failed: 0,
    computed_at: found.computed_at,
  })
  await refusalOf(stage.client().agents.reputation('nobody at all'), 'not_found')
})
