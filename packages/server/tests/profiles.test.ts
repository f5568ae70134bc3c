import { hashDocument, MINUTE } from '@guildhall/protocol'
import { describe, expect, test } from 'vitest'
import { reinstateAgent, suspendAgent } from '../src/actions/agents/suspend-agent.ts'
import { freshName, newAgent } from './support/cast.ts'
import { outcomeOf, send, signed } from './support/raw.ts'
import { refusalOf } from './support/refusals.ts'
import { setStage } from './support/stage.ts'
import { postFree } from './support/tasks.ts'

const stage = setStage({ nodes: 2 })

const latest = () => stage.client().chain.latest()

describe('a profile', () => {
  test('is changed in part: what is left out stays, and null takes away', async () => {
    const agent = await newAgent(stage)
    const before = await agent.client.agents.me()
    const changed = await agent.client.agents.update({
      homepage: 'https://partly.example',
      tags: ['a', 'b'],
      version: '2',
    })
    expect(changed).toEqual({
      ...before,
      homepage: 'https://partly.example',
      tags: ['a', 'b'],
      version: '2',
      last_seen_at: null,
      webhook_url: null,
    })
    expect(await agent.client.agents.update({ homepage: null, tags: null })).toMatchObject({
      homepage: null,
      tags: [],
      version: '2',
      name: agent.name,
    })
    expect(await agent.client.agents.update({})).toMatchObject({ version: '2' })
  })

  test('keeps what it has to have: null for it means absent', async () => {
    const agent = await newAgent(stage)
    const before = await agent.client.agents.me()
    for (const field of ['name', 'description', 'capabilities']) {
      const answer = await send(stage, signed(stage, agent, 'PUT', `/v1/agents/${agent.id}`, { [field]: null }))
      expect(outcomeOf(answer), field).toBe('200')
    }
    expect(await agent.client.agents.me()).toEqual({ ...before, last_seen_at: expect.any(String) })
  })

  test('shows where events are pushed to in the answer to its own agent, and to nobody else', async () => {
    const agent = await newAgent(stage, { name: 'Pushed' })
    const webhook_url = 'https://pushed.example/hook?secret=1'
    expect(await agent.client.agents.update({ webhook_url })).toMatchObject({ webhook_url })
    expect(await agent.client.agents.update({ version: '3' })).toMatchObject({ webhook_url })
    expect(await agent.client.agents.me()).not.toHaveProperty('webhook_url')
    const { agents } = await stage.client().agents.search({ q: 'pushed' })
    expect(agents.map(({ name }) => name)).toEqual(['Pushed'])
    expect(agents[0]).not.toHaveProperty('webhook_url')
    expect(await agent.client.agents.update({ webhook_url: null })).toMatchObject({ webhook_url: null })
  })

  test('of another agent cannot be changed, whether or not there is such an agent', async () => {
    const [agent, other] = [await newAgent(stage), await newAgent(stage)]
    const update = (id: string) =>
      agent.client.call('updateAgent', { params: { id }, body: { description: 'Mine now.' } })
    await refusalOf(update(other.id), 'forbidden')
    await refusalOf(update('nobody at all'), 'forbidden')
    expect((await other.client.agents.me()).description).toBe('Plays a part in a story.')
  })

  test('has fields that no one can assign', async () => {
    const agent = await newAgent(stage)
    const before = await agent.client.agents.me()
    const body = {
      status: 'suspended',
      reputation_score: 1,
      agent_id: 'ag_x',
      public_key: 'x',
      wallet_address: '0x1',
      house: true,
    }
    const answer = await send(stage, signed(stage, agent, 'PUT', `/v1/agents/${agent.id}`, body))
    expect(answer.status).toBe(200)
    expect({ ...answer.body, last_seen_at: null }).toEqual({ ...before, last_seen_at: null, webhook_url: null })
  })

  test('is refused when a field is malformed', async () => {
    const agent = await newAgent(stage)
    const malformed = [
      { name: 'me' },
      { name: 'zero\u200bwidth' },
      { description: '' },
      { capabilities: [] },
      { homepage: 'javascript:alert(1)' },
      { contact_endpoint: 'https://good@evil.example' },
      { skills: [{ name: 'x', registry: 'cpan' }] },
    ]
    for (const body of malformed) {
      const answer = await send(stage, signed(stage, agent, 'PUT', `/v1/agents/${agent.id}`, body))
      expect(outcomeOf(answer), JSON.stringify(body)).toBe('400 bad_request')
    }
  })
})

describe('a name', () => {
  test('can be changed, also to another spelling of itself; the old one is free then', async () => {
    const [old, other] = [freshName('Old Name'), freshName('New Name')]
    const agent = await newAgent(stage, { name: old })
    expect(await agent.client.agents.update({ name: old.toUpperCase() })).toMatchObject({ name: old.toUpperCase() })
    expect(await agent.client.agents.update({ name: `${other.replace(' ', '  ')} ` })).toMatchObject({ name: other })
    expect((await stage.client().agents.get(other.toLowerCase())).agent_id).toBe(agent.id)
    expect((await newAgent(stage, { name: old.toLowerCase() })).id).not.toBe(agent.id)
  })

  test('that is taken, or looks like one that is, is refused', async () => {
    const agent = await newAgent(stage)
    const taken = freshName('Taken')
    await newAgent(stage, { name: taken })
    for (const name of [taken.toLowerCase(), taken.replace('Taken', 'Tаken')])
      await refusalOf(agent.client.agents.update({ name }), 'name_taken')
  })

  test('goes to one of two agents that want it at the same moment on two nodes', async () => {
    const agents = [await newAgent(stage), await newAgent(stage)]
    const name = freshName('Wanted by two')
    const outcomes = await Promise.allSettled(agents.map((agent, node) => agent.with({ node }).agents.update({ name })))
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })
})

describe('the ledger', () => {
  test('has an entry for changed capabilities, protocols or skills that commits to the new profile', async () => {
    const agent = await newAgent(stage)
    const changes = [
      { capabilities: ['sewing', 'knitting'] },
      { protocols: ['mcp'] },
      { skills: [{ name: 'needle', registry: 'pypi' as const }] },
    ]
    for (const change of changes) {
      const profile = await agent.client.agents.update(change)
      const entry = await latest()
      expect(entry).toMatchObject({ entry_type: 'capability_update', agent_id: agent.id })
      const { agent_id, public_key, name, description, capabilities, protocols, homepage } = profile
      const { contact_endpoint, organization, tags, version, skills } = profile
      const told = { agent_id, public_key, name, description, capabilities, protocols, homepage }
      expect(entry.profile_hash).toBe(hashDocument({ ...told, contact_endpoint, organization, tags, version, skills }))
    }
  })

  test('has none for anything else, nor for what stays the same', async () => {
    const agent = await newAgent(stage, { capabilities: ['sewing'] })
    const { sequence } = await latest()
    await agent.client.agents.update({
      description: 'Sews.',
      homepage: 'https://sews.example',
      capabilities: ['sewing'],
    })
    expect((await latest()).sequence).toBe(sequence)
  })
})

describe('when an agent was seen last', () => {
  const seenAt = async (id: string) => (await stage.client().agents.get(id)).last_seen_at

  test('is noted with a change, once in five minutes at most, and never with a read', async () => {
    const agent = await newAgent(stage)
    await agent.client.events.list()
    await agent.client.agents.claimBudget()
    expect(await seenAt(agent.id)).toBeNull()
    await agent.client.agents.update({ version: '1' })
    const first = await seenAt(agent.id)
    expect(first).not.toBeNull()
    await stage.travel(4 * MINUTE)
    await postFree(agent)
    expect(await seenAt(agent.id)).toBe(first)
    await stage.travel(MINUTE)
    await agent.client.events.list()
    expect(await seenAt(agent.id)).toBe(first)
    const task = await postFree(agent)
    await agent.client.tasks.cancel(task)
    expect(Date.parse((await seenAt(agent.id)) ?? '')).toBeGreaterThan(Date.parse(first ?? ''))
  })
})

describe('an operator', () => {
  const operator = () => stage.node().service.world

  test('suspends an agent, who is told and can neither post nor claim; and reinstates it', async () => {
    const [agent, poster] = [await newAgent(stage), await newAgent(stage)]
    const task = await postFree(poster)
    await suspendAgent(operator(), agent.name.toUpperCase(), 'It spammed.')
    expect((await agent.client.agents.me()).status).toBe('suspended')
    const refused = await refusalOf(agent.client.tasks.claim(task), 'agent_not_active')
    expect(refused.fields.status).toBe('suspended')
    await refusalOf(agent.client.tasks.post({ title: 't', description: 'd' }), 'agent_not_active')
    const told = await agent.client.events.list()
    expect(told.events).toMatchObject([
      {
        type: 'status.changed',
        ref_kind: 'agent',
        ref_id: agent.id,
        payload: { from: 'active', to: 'suspended', reason: 'It spammed.' },
      },
    ])
    await reinstateAgent(operator(), agent.id, null)
    expect(await agent.client.tasks.claim(task)).toMatchObject({ status: 'claimed' })
    expect((await agent.client.events.list({ type: 'status.changed' })).unread_count).toBeGreaterThanOrEqual(2)
  })

  test('cannot suspend an agent twice, an unknown agent, or the house', async () => {
    const agent = await newAgent(stage)
    await expect(reinstateAgent(operator(), agent.id, null)).rejects.toMatchObject({ code: 'conflict' })
    await suspendAgent(operator(), agent.id, null)
    await expect(suspendAgent(operator(), agent.id, null)).rejects.toMatchObject({ code: 'conflict' })
    await expect(suspendAgent(operator(), 'nobody at all', null)).rejects.toMatchObject({ code: 'not_found' })
    await expect(suspendAgent(operator(), 'Guildhall House', null)).rejects.toMatchObject({ code: 'forbidden' })
  })
})
