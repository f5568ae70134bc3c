import { HOUR, limits } from '@guildhall/protocol'
import { afterEach, describe, expect, test } from 'vitest'
import { linkAgent } from '../src/actions/owners/link-agent.ts'
import { newAgent } from './support/cast.ts'
import { newOwner, type OwnerPlayer } from './support/owners.ts'
import { outcomeOf, send, signed } from './support/raw.ts'
import { setStage } from './support/stage.ts'

const stage = setStage({ nodes: 2 })
/** Tries are counted by the hour. */
afterEach(() => stage.travel(HOUR))

const newCode = async (owner: OwnerPlayer): Promise<string> =>
  String((await owner.call('POST', '/v1/owner/agents/codes')).body.code)

type Listed = readonly { readonly agent_id: string; readonly name: string }[]
const agentsOf = async (owner: OwnerPlayer) => (await owner.call('GET', '/v1/owner/agents')).body.agents as Listed

describe('an agent and its owner', () => {
  test('the owner asks for a code, the agent signs it, and they are linked', async () => {
    const [owner, agent] = [await newOwner(stage), await newAgent(stage)]
    const { status, body } = await owner.call('POST', '/v1/owner/agents/codes')
    expect([status, body]).toEqual([
      201,
      { ok: true, code: expect.stringMatching(/^\w{5}-\w{5}$/), expires_at: expect.any(String) },
    ])
    const typed = ` ${String(body.code).toLowerCase().replace('-', ' ')} `
    const linked = await agent.client.agents.linkOwner(typed)
    expect(linked).toMatchObject({ agent_id: agent.id, owner_email: 'o***@example.org' })
    expect(await agentsOf(owner)).toMatchObject([{ agent_id: agent.id, name: agent.name }])
    expect(await agentsOf(await newOwner(stage))).toEqual([])
  })

  test('either of them ends the link, and nobody else', async () => {
    const [owner, stranger, agent] = [await newOwner(stage), await newOwner(stage), await newAgent(stage)]
    await agent.client.agents.linkOwner(await newCode(owner))
    const refused = await stranger.call('DELETE', `/v1/owner/agents/${agent.id}`)
    expect(outcomeOf(refused)).toBe('404 not_found')
    expect(refused.body).toMatchObject({ resource: 'agent', message: 'No agent with this id is linked to you.' })
    expect((await owner.call('DELETE', `/v1/owner/agents/${agent.id}`)).body).toEqual({ ok: true, unlinked: true })
    expect(await agentsOf(owner)).toEqual([])
    await agent.client.agents.linkOwner(await newCode(owner))
    expect(await agent.client.agents.unlinkOwner()).toEqual({ ok: true, unlinked: true })
    expect(await agent.client.agents.unlinkOwner()).toEqual({ ok: true, unlinked: false })
    expect(await agentsOf(owner)).toEqual([])
  })

  test('an agent has one owner; another’s code is refused and stays good', async () => {
    const [owner, second] = [await newOwner(stage), await newOwner(stage)]
    const [agent, other] = [await newAgent(stage), await newAgent(stage)]
    const first = await agent.client.agents.linkOwner(await newCode(owner))
    expect((await agent.client.agents.linkOwner(await newCode(owner))).linked_at).toBe(first.linked_at)
    const code = await newCode(second)
    await expect(agent.client.agents.linkOwner(code)).rejects.toMatchObject({ code: 'conflict' })
    expect((await other.client.agents.linkOwner(code)).agent_id).toBe(other.id)
  })

  test('an agent links itself only', async () => {
    const [owner, agent, other] = [await newOwner(stage), await newAgent(stage), await newAgent(stage)]
    const code = await newCode(owner)
    const request = signed(stage, other, 'POST', `/v1/agents/${agent.id}/owner`, { code })
    expect(outcomeOf(await send(stage, request))).toBe('403 forbidden')
    expect(outcomeOf(await send(stage, { ...request, headers: { 'Content-Type': 'application/json' } }))).toBe(
      '401 auth_required',
    )
    const away = signed(stage, other, 'DELETE', `/v1/agents/${agent.id}/owner`)
    expect(outcomeOf(await send(stage, away))).toBe('403 forbidden')
    expect((await agent.client.agents.linkOwner(code)).agent_id).toBe(agent.id)
  })
})

describe('a code', () => {
  test('works once, on whichever node it is signed first', async () => {
    const owner = await newOwner(stage)
    const agents = await Promise.all([newAgent(stage), newAgent(stage)])
    const code = await newCode(owner)
    const results = await Promise.allSettled(agents.map((agent, node) => agent.with({ node }).agents.linkOwner(code)))
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await agentsOf(owner)).toHaveLength(1)
  })

  test('gives way to a newer one, and is refused when it is none', async () => {
    const [owner, agent] = [await newOwner(stage), await newAgent(stage)]
    const old = await newCode(owner)
    const code = await newCode(owner)
    for (const text of [old, 'AAAAA-AAAAA', 'x', 'a'.repeat(100)])
      await expect(agent.client.agents.linkOwner(text)).rejects.toMatchObject({ code: 'invalid_code' })
    expect((await agent.client.agents.linkOwner(code)).ok).toBe(true)
  })

  test('lasts 15 minutes, to the millisecond', async () => {
    const [owner, agent] = [await newOwner(stage), await newAgent(stage)]
    const { body } = await owner.call('POST', '/v1/owner/agents/codes')
    const end = Date.parse(String(body.expires_at))
    const { world } = stage.node().service
    const found = await world.store.agent(agent.id)
    if (found === null) throw new Error('The agent is gone.')
    const caller = {
      agent: found,
      signature: {
        hash: crypto.getRandomValues(new Uint8Array(32)),
        text: '',
        timestamp: Math.floor(end / 1000),
        nonce: null,
        bodyHash: '',
        publicKeyHex: '',
      },
    }
    const at = (now: number) => linkAgent({ ...world, clock: { now: () => now } }, caller, String(body.code))
    await expect(at(end)).rejects.toMatchObject({ code: 'invalid_code' })
    expect((await at(end - 1)).owner.email).toBe(owner.email)
  })

  test('is guessed twenty times an hour at most', async () => {
    const agent = await newAgent(stage)
    await stage.travel(HOUR)
    const guess = () => agent.client.agents.linkOwner('AAAAA-AAAAA')
    for (let count = 0; count < limits.owner.codeTriesPerHour; count++)
      await expect(guess()).rejects.toMatchObject({ code: 'invalid_code' })
    await expect(guess()).rejects.toMatchObject({ code: 'rate_limited' })
    await stage.travel(HOUR)
    await expect(guess()).rejects.toMatchObject({ code: 'invalid_code' })
  })
})

describe('the page of an owner’s agents', () => {
  test('shows a code when asked, then the agent, and lets go of it', async () => {
    const [owner, agent] = [await newOwner(stage), await newAgent(stage)]
    expect((await owner.open('/console/agents')).text).toContain('No agent is linked to you yet.')
    const shown = await owner.submit('/console/agents/codes', {})
    expect(shown.headers.get('cache-control')).toBe('private, no-store')
    const code = /agent link (\S{11}) --url/.exec(shown.text)?.[1] ?? ''
    expect(shown.text).toContain(`npm run guildhall -- agent link ${code} --url ${stage.node().url}<`)
    await agent.client.agents.linkOwner(code)
    const page = await owner.open('/console/agents')
    expect(page.text).toContain(agent.name)
    expect(page.text).not.toContain(code)
    expect((await owner.submit('/console/agents/unlink', { agent: agent.id })).location).toBe('/console/agents')
    expect((await owner.open('/console/agents')).text).not.toContain(agent.name)
  })

  test('who clicks twice to unlink an agent gets the page without it', async () => {
    const [owner, agent] = [await newOwner(stage), await newAgent(stage)]
    await agent.client.agents.linkOwner(await newCode(owner))
    const twice = [1, 2].map(() => owner.submit('/console/agents/unlink', { agent: agent.id }))
    expect((await Promise.all(twice)).map(({ location }) => location)).toEqual(['/console/agents', '/console/agents'])
  })
})
