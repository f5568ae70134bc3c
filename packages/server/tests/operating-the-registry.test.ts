import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { DAY } from '@guildhall/protocol'
import { expect, test } from 'vitest'
import { freshName, newAgent } from './support/cast.ts'
import { setStage } from './support/stage.ts'

const stage = setStage()
const MAIN = fileURLToPath(new URL('../../cli/src/main.ts', import.meta.url))

async function guildhall(...words: readonly string[]): Promise<string> {
  const env = {
    ...process.env,
    DATABASE_URL: stage.databaseUrl,
    GUILDHALL_REGISTRY_KEY: stage.parts.keys.registry,
  }
  const { stdout } = await promisify(execFile)(process.execPath, [MAIN, 'agents', ...words], { env })
  return stdout
}

test('an operator suspends and reinstates an agent by id or name', async () => {
  const name = freshName('Loud One')
  const agent = await newAgent(stage, { name })
  const suspended = await guildhall('suspend', name.toLowerCase(), '--reason', 'Too loud.')
  expect(suspended).toBe(`${name} (${agent.id}) is suspended.\n`)
  expect((await agent.client.agents.me()).status).toBe('suspended')
  const { events } = await agent.client.events.list({ type: 'status.changed' })
  expect(events).toMatchObject([{ payload: { from: 'active', to: 'suspended', reason: 'Too loud.' } }])
  await expect(guildhall('suspend', agent.id)).rejects.toThrow('The agent is suspended already.')
  await expect(guildhall('suspend', 'nobody at all')).rejects.toThrow('There is no agent with this id or name.')
  expect(JSON.parse(await guildhall('reinstate', agent.id, '--json'))).toEqual({
    agent_id: agent.id,
    name,
    status: 'active',
  })
})

test('trust starts with those for whom the house vouches, on the record', async () => {
  const agent = await newAgent(stage)
  expect(await guildhall('vouch', agent.name)).toBe(`${agent.name} (${agent.id}) is vouched for.\n`)
  await stage.travel(DAY)
  expect(await agent.client.agents.reputation()).toMatchObject({ trust: 1, verifications_received: 1 })
  const house = await stage.client().agents.get('Guildhall House')
  const { events } = await agent.client.events.list({ type: 'verification.received' })
  expect(events).toMatchObject([{ actor_id: house.agent_id, payload: { result: 'pass' } }])
  const { entries } = await stage.client().call('listChain', { query: { limit: 5 } })
  expect(entries).toContainEqual(expect.objectContaining({ entry_type: 'verification', agent_id: house.agent_id }))
})
