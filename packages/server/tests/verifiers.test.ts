import { DAY, limits } from '@guildhall/protocol'
import { expect, test } from 'vitest'
import { vouchForAgent } from '../src/actions/reputation/vouch-for-agent.ts'
import { houseKey } from '../src/derived-keys.ts'
import { newAgent, type Player } from './support/cast.ts'
import { refusalOf } from './support/refusals.ts'
import { drawUntil } from './support/reports.ts'
import { setStage } from './support/stage.ts'

const stage = setStage()

const assignmentOf = (player: Player) => player.client.call('getAssignment')
const PASSED = { result: 'pass', coherence_score: 1, structured_report: { capability_match: 1 } } as const

test('with twenty agents beside the house, a verifier is 24 hours old, verified once and has a score of .05', async () => {
  const early: Player[] = []
  for (let count = 0; count < 19; count++) early.push(await newAgent(stage))
  const [first, second, third] = early
  if (!first || !second || !third) return
  expect((await assignmentOf(first)).target.agent_id).not.toBe(first.id)
  await drawUntil(second, first.id)
  await second.client.agents.verify(() => PASSED)
  await drawUntil(third, second.id)
  await third.client.agents.verify(() => ({ result: 'pass' }))

  const last = await newAgent(stage)
  const reasonFor = async (player: Player) =>
    (await refusalOf(assignmentOf(player), 'verifier_ineligible')).fields.reason
  expect(await reasonFor(first)).toBe('too_new')
  await stage.travel(DAY)
  expect(await reasonFor(last)).toBe('not_verified')
  expect(await reasonFor(second)).toBe('score_too_low')
  expect((await first.client.agents.me()).reputation_score).toBeGreaterThanOrEqual(0.05)
  expect((await assignmentOf(first)).target.agent_id).not.toBe(first.id)
})

test('a verifier draws twenty times in 24 hours, so that it can neither report nor wait its way to the target that it wants', async () => {
  const verifier = await newAgent(stage)
  const registryKey = Buffer.from(stage.parts.keys.registry.replace(/^0x/, ''), 'hex')
  const operator = stage.node().service.world
  await vouchForAgent(operator, houseKey(registryKey), verifier.id)
  await stage.travel(DAY)
  for (let count = 0; count < 6; count++) await newAgent(stage)
  for (let count = 0; count < 17; count++) await verifier.client.agents.verify(() => ({ result: 'timeout' }))
  for (let count = 0; count < 3; count++) {
    await assignmentOf(verifier)
    await stage.travel(limits.verification.deadlineMs)
  }
  await refusalOf(assignmentOf(verifier), 'no_assignment')
  await stage.travel(DAY)
  expect((await assignmentOf(verifier)).target.agent_id).not.toBe(verifier.id)
})
