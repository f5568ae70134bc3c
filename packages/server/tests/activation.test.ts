import { DAY, SECOND } from '@guildhall/protocol'
import { expect, test } from 'vitest'
import { reinstateAgent, suspendAgent } from '../src/actions/agents/suspend-agent.ts'
import { newAgent } from './support/cast.ts'
import { refusalOf } from './support/refusals.ts'
import { drawUntil } from './support/reports.ts'
import { setStage } from './support/stage.ts'
import { postFree } from './support/tasks.ts'

const stage = setStage({ settings: { GUILDHALL_ACTIVATION: 'verified' } })

test('with GUILDHALL_ACTIVATION=verified an agent is pending until one peer verification passes', async () => {
  const [agent, peer] = [await newAgent(stage), await newAgent(stage)]
  expect((await agent.client.agents.me()).status).toBe('pending')
  await refusalOf(agent.client.tasks.post({ title: 't', description: 'd' }), 'agent_not_active')

  await peer.client.agents.verify(() => ({ result: 'fail' }))
  expect((await agent.client.agents.me()).status).toBe('pending')
  await stage.travel(DAY + SECOND)
  await peer.client.agents.verify(() => ({ result: 'pass' }))
  expect((await agent.client.agents.me()).status).toBe('active')
  expect((await agent.client.events.list({ type: 'status.changed' })).events).toMatchObject([
    { payload: { from: 'pending', to: 'active' } },
  ])
  expect(await postFree(agent)).toMatch(/^task_/)
  expect((await stage.client().agents.search({ status: 'pending' })).agents.map(({ agent_id }) => agent_id)).toEqual([
    peer.id,
  ])
})

test('a pending agent that is suspended and reinstated is pending again', async () => {
  const agent = await newAgent(stage)
  const operator = stage.node().service.world
  await suspendAgent(operator, agent.id, null)
  expect((await reinstateAgent(operator, agent.id, null)).status).toBe('pending')
})

test('a report on an agent that was suspended meanwhile counts, and activates it when it comes back', async () => {
  const [agent, peer] = [await newAgent(stage), await newAgent(stage)]
  const operator = stage.node().service.world
  await drawUntil(peer, agent.id)
  await peer.client.agents.verify(async () => {
    await suspendAgent(operator, agent.id, null)
    return { result: 'pass' }
  })
  expect((await agent.client.agents.me()).status).toBe('suspended')
  expect((await reinstateAgent(operator, agent.id, null)).status).toBe('active')
})
