import { endpoints, limits } from '@guildhall/protocol'
import { beforeAll, describe, expect, test } from 'vitest'
import { formOf, openJar } from './support/browser-jar.ts'
import { newAgent, type Player } from './support/cast.ts'
import { askPerson, CONFIRM, confirm, linkTo, noOf } from './support/identity.ts'
import { refusalOf } from './support/refusals.ts'
import { refuseSignIn, signIn } from './support/sign-in.ts'
import { setStage } from './support/stage.ts'
import { stopClock } from './support/stopped-clock.ts'

const stage = setStage()
let people = 0
const newPerson = (name = 'Ada Lovelace') => ({ email: `person${++people}@example.com`, name })
const statusOf = (linkId: string) => stage.client().identity.status(linkId)

describe('a link', () => {
  let agent: Player
  beforeAll(async () => {
    agent = await newAgent(stage)
  })

  test('begins pending, at the identity provider, for fifteen minutes', async () => {
    const before = stage.now()
    const { link_id, link_url, issuer, expires_at, ok } = await agent.client.identity.start()
    expect(ok).toBe(true)
    expect(link_id).toMatch(/^lnk_[0-9A-Za-z]{30}$/)
    expect(issuer).toBe(stage.parts.identity.issuer)
    expect(link_url.startsWith(`${issuer}/`)).toBe(true)
    expect(Date.parse(expires_at) - before).toBeGreaterThanOrEqual(limits.identityLink.lifeMs)
    expect(Date.parse(expires_at) - stage.now()).toBeLessThanOrEqual(limits.identityLink.lifeMs)
    expect(await statusOf(link_id)).toEqual({ status: 'pending', agent_id: agent.id, error: null })
    expect(await agent.client.identity.get()).toBeNull()
  })

  test('is made when the person consents in the browser in which they signed in', async () => {
    const person = newPerson()
    const asked = await askPerson(agent, person)
    expect(asked.page.status).toBe(200)
    expect(await statusOf(asked.linkId)).toMatchObject({ status: 'pending' })
    expect(await agent.client.identity.get()).toBeNull()

    const result = await confirm(stage, asked)
    expect(result.status).toBe(200)
    expect(result.text).toContain('The agent is linked to you')
    expect(await statusOf(asked.linkId)).toEqual({ status: 'linked', agent_id: agent.id, error: null })
    const linked = {
      verified: true,
      issuer: stage.parts.identity.issuer,
      email: 'p***@example.com',
      email_verified: true,
      display_name: 'Ada Lovelace',
      linked_at: expect.stringMatching(/Z$/),
    }
    expect(await agent.client.identity.get()).toEqual(linked)
    expect((await agent.client.agents.get(agent.id)).agentid).toEqual(linked)
    const { agents } = await stage.client().call('searchAgents', { query: { q: agent.name } })
    expect(agents.find(({ agent_id }) => agent_id === agent.id)?.agentid).toEqual(linked)
    const seen = JSON.stringify([await statusOf(asked.linkId), await agent.client.agents.get(agent.id)])
    expect(seen).not.toContain(person.email)
  })

  test('takes the place of the one before it', async () => {
    await linkTo(stage, agent, newPerson('Grace Hopper'))
    expect(await agent.client.identity.get()).toMatchObject({ display_name: 'Grace Hopper' })
  })

  test('fails for a person who stands behind another agent, and that agent and this one keep what they have', async () => {
    const other = await newAgent(stage)
    const person = newPerson('Alan Turing')
    await linkTo(stage, other, person)
    const asked = await askPerson(agent, { ...person, email: person.email.toUpperCase() })
    const result = await confirm(stage, asked)
    expect(result.status).toBe(400)
    expect(result.text).toContain('stands behind another agent already')
    expect(await statusOf(asked.linkId)).toEqual({ status: 'failed', agent_id: agent.id, error: 'identity_taken' })
    expect(await agent.client.identity.get()).toMatchObject({ display_name: 'Grace Hopper' })
    expect(await other.client.identity.get()).toMatchObject({ display_name: 'Alan Turing' })
  })

  test('is undone by its agent as often as it likes; then the person may stand behind another', async () => {
    const person = newPerson()
    await linkTo(stage, agent, person)
    expect(await agent.client.identity.remove()).toBe(true)
    expect(await agent.client.identity.remove()).toBe(false)
    expect(await agent.client.identity.get()).toBeNull()
    expect((await agent.client.agents.get(agent.id)).agentid).toBeNull()
    const other = await newAgent(stage)
    expect((await linkTo(stage, other, person)).status).toBe(200)
  })

  test('that the person refuses has failed; nothing is linked', async () => {
    const asked = await askPerson(agent, newPerson())
    const result = await confirm(stage, { jar: asked.jar, yes: noOf(asked.page) })
    expect([result.status, result.text.includes('Nothing was linked')]).toEqual([200, true])
    expect(await statusOf(asked.linkId)).toMatchObject({ status: 'failed', error: 'access_denied' })
    expect((await confirm(stage, asked)).status).toBe(400)
    expect(await agent.client.identity.get()).toBeNull()
  })

  test('whose sign-in was refused at the provider waits on, until the person says that they refuse', async () => {
    const jar = openJar()
    const { link_id, link_url } = await agent.client.identity.start()
    const page = await refuseSignIn(jar, link_url)
    expect([page.status, page.text.includes('You were not signed in')]).toEqual([400, true])
    expect(await statusOf(link_id)).toMatchObject({ status: 'pending' })
    expect((await signIn(jar, link_url, newPerson())).status).toBe(200)
    await confirm(stage, { jar, yes: noOf(page) })
    expect(await statusOf(link_id)).toMatchObject({ status: 'failed', error: 'access_denied' })
  })

  test('is begun and undone by its own agent only, and unknown ones are not found', async () => {
    const stranger = await newAgent(stage)
    const params = { id: agent.id }
    await refusalOf(stranger.client.call('startIdentityLink', { params }), 'forbidden')
    await refusalOf(stranger.client.call('unlinkIdentity', { params }), 'forbidden')
    await refusalOf(stage.client().call('getIdentity', { params: { id: 'nobody' } }), 'not_found')
    await refusalOf(statusOf('lnk_000000000000000000000000000000'), 'not_found')
  })

  test('can be begun so many times an hour', async () => {
    const eager = await newAgent(stage)
    const { points } = endpoints.startIdentityLink.limit
    for (let count = 0; count < points; count++) await eager.client.identity.start()
    await refusalOf(eager.client.identity.start(), 'rate_limited')
  })
})

describe('the consent page', () => {
  test('names the agent and the provider, warns, and is for this browser only', async () => {
    const agent = await newAgent(stage, { name: `Scribe ${people}` })
    const { page, jar, linkId } = await askPerson(agent, newPerson())
    for (const text of [agent.name, agent.id, '127.0.0.1', 'Agree only if this is your agent'])
      expect(page.text).toContain(text)
    expect(page.text).not.toMatch(/<script|<style| style=| on\w+=/)
    const { headers } = page
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(headers.get('content-security-policy')).toMatch(
      /default-src 'none'.*form-action 'self'.*frame-ancestors 'none'/,
    )
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('cache-control')).toContain('no-store')
    expect(headers.get('access-control-allow-origin')).toBeNull()
    const [cookie, ...others] = headers.getSetCookie()
    expect(others).toEqual([])
    const shape = `^__Host-agentid-${linkId}=[\\w-]{43}; Max-Age=\\d{3}; Path=/; Secure; HttpOnly; SameSite=Lax$`
    expect(cookie).toMatch(new RegExp(shape))
    const reloaded = await jar.open(page.url)
    expect([reloaded.status, reloaded.headers.getSetCookie()]).toEqual([200, []])
  })

  test('what came with the address is shown as text, or not at all', async () => {
    const agent = await newAgent(stage)
    const evil = '"><script>alert(1)</script>'
    const { state, jar, page } = await askPerson(agent, newPerson())
    const url = new URL(page.url)
    for (const [name, value] of [
      ['code', evil],
      ['state', `${state}${evil}`],
      ['error', evil],
      ['iss', evil],
    ] as const) {
      const spoilt = new URL(url)
      spoilt.searchParams.set(name, value)
      expect((await jar.open(spoilt.href)).text).not.toContain('<script')
    }
    const named = await askPerson(agent, newPerson(evil))
    const result = await confirm(stage, named)
    expect(result.status).toBe(200)
    expect(result.text).not.toContain('<script')
    expect(await agent.client.identity.get()).toMatchObject({ display_name: evil })
  })
})

describe('identity links are on', () => {
  test('says the status of the service, and the sandbox where its provider is', async () => {
    expect((await stage.client().service.status()).agentid).toBe('enabled')
    expect((await stage.client().sandbox.info()).identity_url).toBe(stage.parts.identity.issuer)
  })

  test('where a provider is configured; elsewhere they are not available', async () => {
    const agent = await newAgent(stage)
    const node = await stage.startNode({
      GUILDHALL_OIDC_ISSUER: '',
      GUILDHALL_OIDC_CLIENT_ID: '',
      GUILDHALL_OIDC_CLIENT_SECRET: '',
    })
    const client = agent.with({ baseUrl: node.url })
    expect((await client.service.status()).agentid).toBe('disabled')
    expect((await refusalOf(client.identity.start(), 'agentid_unavailable')).status).toBe(503)
    const { id } = await newAgent(stage)
    await refusalOf(client.call('startIdentityLink', { params: { id } }), 'forbidden')
    expect((await fetch(`${node.url}/v1/agentid/callback?state=x&code=y`)).status).toBe(503)
    await stage.stopNode(node)
  })

  test('while the provider is down a link cannot be begun, and nothing else is lost', async () => {
    const agent = await newAgent(stage)
    const node = await stage.startNode({ GUILDHALL_OIDC_ISSUER: 'http://127.0.0.1:9' })
    const client = agent.with({ baseUrl: node.url })
    expect((await client.service.health()).status).toBe('ok')
    const refused = await refusalOf(client.identity.start(), 'agentid_unavailable')
    expect([refused.status, refused.message.includes('cannot be reached')]).toEqual([503, true])
    await stage.stopNode(node)
  })
})

test('a link that was begun at one node is made at another, whatever else the provider adds to its answer', async () => {
  const node = await stage.startNode({ GUILDHALL_BASE_URL: stage.node().url })
  const agent = await newAgent(stage)
  const { link_id, link_url } = await agent.with({ baseUrl: node.url }).identity.start()
  const jar = openJar()
  const page = await signIn(jar, link_url, newPerson())
  expect(page.url.startsWith(stage.node().url)).toBe(true)
  const again = await jar.open(`${page.url}&scope=openid&authuser=0&session_state=x`)
  expect((await confirm(stage, { jar, yes: formOf(again, 'name="code"') })).status).toBe(200)
  expect(await statusOf(link_id)).toMatchObject({ status: 'linked' })
  await stage.stopNode(node)
})

describe('time', () => {
  const clock = stopClock(stage)

  test('a link waits until its fifteen minutes are over, and not a moment longer', async () => {
    const agent = await newAgent(stage)
    const { link_id, expires_at } = await agent.client.identity.start()
    await clock.at(Date.parse(expires_at) - 1)
    expect(await statusOf(link_id)).toMatchObject({ status: 'pending' })
    await clock.at(expires_at)
    expect(await statusOf(link_id)).toMatchObject({ status: 'expired', error: null })
  })

  test('the clock may have been moved by a month: sign-ins go on, and an old consent is void', async () => {
    const agent = await newAgent(stage)
    const late = await askPerson(agent, newPerson())
    await clock.at(stage.now() + 30 * 86_400_000)
    const refused = await confirm(stage, late)
    expect([refused.status, refused.text.includes('fifteen minutes')]).toEqual([400, true])
    expect((await late.jar.open(late.page.url)).status).toBe(400)
    expect((await linkTo(stage, agent, newPerson())).status).toBe(200)
  })
})

test('the form of the consent page leads to where it is confirmed', async () => {
  const { page, yes, state } = await askPerson(await newAgent(stage), newPerson())
  expect(page.text).toContain(`action="${CONFIRM}"`)
  expect(yes).toEqual({ state, code: expect.stringMatching(/^[\w-]{20,}$/) })
})
