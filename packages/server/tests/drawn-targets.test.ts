import { expect, test } from 'vitest'
import { newAgent, type Player } from './support/cast.ts'
import { setStage } from './support/stage.ts'

const stage = setStage()

const targetOf = async (verifier: Player): Promise<string> =>
  (await verifier.client.call('getAssignment')).target.agent_id

/** By chance twelve draws out of eleven give two targets or fewer once in ten million times. */
test('the target of one verifier says nothing about the target of the next', async () => {
  const agents: Player[] = []
  for (let count = 0; count < 12; count++) agents.push(await newAgent(stage))
  const targets = new Set<string>()
  for (const agent of agents) targets.add(await targetOf(agent))
  expect(targets.size).toBeGreaterThan(2)
})
