import { afterAll, beforeAll, expect, test } from 'vitest'
import { formOf, openJar } from '../support/browser-jar.ts'
import { newAgent, type Player } from '../support/cast.ts'
import { type Asked, askPerson, CONFIRM, confirm, linkTo, noOf } from '../support/identity.ts'
import { type LyingProvider, startLyingProvider } from '../support/lying-provider.ts'
import { send, signed } from '../support/raw.ts'
import { setStage } from '../support/stage.ts'

const stage = setStage()
const CLIENT = { clientId: 'guildhall', clientSecret: 'a secret of the client' }
let agent: Player
let liar: LyingProvider
let people = 0
const newPerson = () => ({ email: `victim${++people}@example.com`, name: 'A Victim' })
const statusOf = async ({ linkId }: Pick<Asked, 'linkId'>) => (await stage.client().identity.status(linkId)).status
const callback = (query: Readonly<Record<string, string>>) =>
  `${stage.node().url}/v1/agentid/callback?${new URLSearchParams(query)}`

beforeAll(async () => {
  agent = await newAgent(stage)
  liar = await startLyingProvider(CLIENT)
})
afterAll(() => liar.stop())

/** Whatever was tried, the link waits on and its own browser can still make it. */
async function isUnharmed(asked: Asked): Promise<void> {
  expect(await statusOf(asked)).toBe('pending')
  expect((await confirm(stage, asked)).status).toBe(200)
  expect(await statusOf(asked)).toBe('linked')
}

test('a page of another site cannot consent in a person’s name', async () => {
  const asked = await askPerson(agent, newPerson())
  const foreign: readonly Readonly<Record<string, string>>[] = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'null', 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ]
  for (const headers of foreign) expect((await confirm(stage, asked, headers)).status).toBe(400)
  const no = { jar: asked.jar, yes: noOf(asked.page) }
  for (const headers of foreign) expect((await confirm(stage, no, headers)).status).toBe(400)
  await isUnharmed(asked)
})

test('a browser on our own page can consent, whether it names its origin or not', async () => {
  const own = new URL(stage.node().url).origin
  for (const headers of [{ origin: own }, { origin: 'null', 'sec-fetch-site': 'same-origin' }] as const) {
    const asked = await askPerson(agent, newPerson())
    expect((await confirm(stage, asked, headers)).status).toBe(200)
  }
})

test('whoever learns the whole answer of the provider cannot go on with it in another browser, nor burn the link', async () => {
  const asked = await askPerson(agent, newPerson())
  const thief = openJar()
  const opened = await thief.open(asked.page.url)
  expect([opened.status, opened.headers.getSetCookie()]).toEqual([400, []])
  expect((await confirm(stage, { jar: thief, yes: asked.yes })).status).toBe(400)
  expect((await confirm(stage, { jar: thief, yes: { state: asked.state, refuse: '1' } })).status).toBe(400)
  const forged = { cookie: `__Host-agentid-${asked.linkId}=${'A'.repeat(43)}` }
  expect((await confirm(stage, { jar: thief, yes: asked.yes }, forged)).status).toBe(400)
  expect((await thief.open(callback({ state: asked.state, error: 'access_denied', iss: issuer() }))).status).toBe(400)
  await isUnharmed(asked)
})

test('the cookie of one link is worth nothing for another', async () => {
  const [mine, other] = [await askPerson(agent, newPerson()), await askPerson(await newAgent(stage), newPerson())]
  const value = /=([\w-]{43})/.exec(mine.jar.cookieHeader(mine.page.url))?.[1] ?? ''
  const cookie = `__Host-agentid-${other.linkId}=${value}`
  expect((await confirm(stage, { jar: openJar(), yes: other.yes }, { cookie })).status).toBe(400)
  await isUnharmed(other)
})

test('the state of one link does not go with the code of another', async () => {
  const jar = openJar()
  const [mine, other] = [
    await askPerson(agent, newPerson(), jar),
    await askPerson(await newAgent(stage), newPerson(), jar),
  ]
  const mixed = { state: mine.state, code: other.yes.code ?? '' }
  expect((await confirm(stage, { jar, yes: mixed })).status).toBe(400)
  await isUnharmed(mine)
  await isUnharmed(other)
})

test('a code that the provider never gave links nobody, even when the browser asked for consent with it', async () => {
  const asked = await askPerson(agent, newPerson())
  const first = await asked.jar.open(callback({ state: asked.state, code: 'made-up', iss: issuer() }))
  expect(first.status).toBe(200)
  expect((await confirm(stage, { jar: asked.jar, yes: formOf(first, 'name="code"') })).status).toBe(400)
  expect(await statusOf(asked)).toBe('pending')
  await asked.jar.open(asked.page.url)
  await isUnharmed(asked)
})

test('states that are unknown, empty, sent twice or missing are refused on both ways', async () => {
  const { state, jar } = await askPerson(agent, newPerson())
  for (const wrong of ['', 'x', state.slice(1), state.toLowerCase(), `${state} `, 'x'.repeat(5_000)]) {
    expect((await jar.open(callback({ state: wrong, code: 'c', iss: issuer() }))).status).toBe(400)
    expect((await confirm(stage, { jar, yes: { state: wrong, code: 'c' } })).status).toBe(400)
  }
  expect((await jar.open(`${callback({ state, code: 'c' })}&state=${state}`)).status).toBe(400)
  expect((await jar.open(callback({ code: 'c' }))).status).toBe(400)
  expect((await confirm(stage, { jar, yes: { code: 'c' } })).status).toBe(400)
  expect((await jar.open(callback({ state, iss: issuer() }))).status).toBe(400)
})

test('a link that is made cannot be made again with the same state and code, nor its page be opened', async () => {
  const asked = await askPerson(agent, newPerson())
  const cookie = asked.jar.cookieHeader(asked.page.url)
  expect((await confirm(stage, asked)).status).toBe(200)
  await agent.client.identity.remove()
  expect((await confirm(stage, asked, { cookie })).status).toBe(400)
  expect((await asked.jar.open(asked.page.url, { headers: { cookie } })).status).toBe(400)
  expect(await agent.client.identity.get()).toBeNull()
})

test('ten consents at once make one link', async () => {
  const asked = await askPerson(agent, newPerson())
  const answers = await Promise.all(Array.from({ length: 10 }, () => confirm(stage, asked)))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(400)])
  expect(await statusOf(asked)).toBe('linked')
  // After a double click a browser shows the second answer.
  expect(answers.filter(({ text }) => text.includes('Nothing was linked'))).toEqual([])
})

test('of two agents to whom a person consents at once one is linked', async () => {
  for (let round = 0; round < 5; round++) {
    const person = newPerson()
    const agents = [await newAgent(stage), await newAgent(stage)]
    const asked = await Promise.all(agents.map((each) => askPerson(each, person)))
    const answers = await Promise.all(asked.map((each) => confirm(stage, each)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
    expect((await Promise.all(asked.map(statusOf))).sort()).toEqual(['failed', 'linked'])
    const identities = await Promise.all(agents.map(({ client }) => client.identity.get()))
    expect(identities.filter((identity) => identity !== null)).toHaveLength(1)
  }
})

test('an answer that names another issuer, or none where the provider always does, is not taken', async () => {
  const asked = await askPerson(agent, newPerson())
  const query = { state: asked.state, code: asked.yes.code ?? '' }
  const fresh = openJar()
  for (const more of [{ iss: 'https://evil.example' }, { iss: `${issuer()}/` }, {}] as const) {
    const shown = await fresh.open(callback({ ...query, ...more }))
    expect([shown.status, shown.headers.getSetCookie()]).toEqual([400, []])
  }
  await isUnharmed(asked)
})

test('another agent’s link is neither begun nor undone, and a signed request begins one link', async () => {
  await linkTo(stage, agent, newPerson())
  const stranger = await newAgent(stage)
  for (const [method, path] of [
    ['POST', `/v1/agents/${agent.id}/agentid/link`],
    ['DELETE', `/v1/agents/${agent.id}/agentid`],
  ] as const) {
    expect((await send(stage, signed(stage, stranger, method, path))).status).toBe(403)
    expect((await send(stage, { method, path, headers: {}, body: null })).status).toBe(401)
  }
  expect(await agent.client.identity.get()).not.toBeNull()
  const request = signed(stage, agent, 'POST', `/v1/agents/${agent.id}/agentid/link`)
  expect((await send(stage, request)).status).toBe(200)
  expect((await send(stage, request)).body.error).toBe('signature_replayed')
})

test('what a provider says of a person fails the link when it does not hold, and nothing is linked', async () => {
  const node = await stage.startNode({
    GUILDHALL_OIDC_ISSUER: liar.issuer,
    GUILDHALL_OIDC_CLIENT_ID: CLIENT.clientId,
    GUILDHALL_OIDC_CLIENT_SECRET: CLIENT.clientSecret,
  })
  liar.followClock(stage.now)
  const victim = await newAgent(stage)
  const client = victim.with({ baseUrl: node.url })
  const attempt = async (lie: (nonce: string) => Parameters<LyingProvider['say']>[0]) => {
    const { link_id, link_url } = await client.identity.start()
    const { state = '', nonce = '' } = Object.fromEntries(new URL(link_url).searchParams)
    liar.say(lie(nonce))
    const jar = openJar()
    await jar.open(`${node.url}/v1/agentid/callback?${new URLSearchParams({ state, code: 'c' })}`)
    const { status } = await jar.open(`${node.url}${CONFIRM}`, { form: { state, code: 'c' } })
    return [status, (await client.identity.status(link_id)).status, (await client.identity.status(link_id)).error]
  }
  const failed = [400, 'failed', 'identity_untrue']
  expect(await attempt((nonce) => ({ claims: { nonce }, signedBy: 'stranger' }))).toEqual(failed)
  expect(await attempt(() => ({ claims: { nonce: 'another' } }))).toEqual(failed)
  expect(await attempt((nonce) => ({ claims: { nonce, aud: 'another' } }))).toEqual(failed)
  expect(await attempt((nonce) => ({ claims: { nonce, iss: issuer() } }))).toEqual(failed)
  expect(await client.identity.get()).toBeNull()
  expect(await attempt(() => ({ status: 500, answer: {} }))).toEqual([503, 'pending', null])
  expect(await attempt((nonce) => ({ claims: { nonce } }))).toEqual([200, 'linked', null])
  await stage.stopNode(node)
})

test('neither address, form nor host of a request changes where people are sent', async () => {
  const { link_url } = await agent.client.identity.start()
  expect(new URL(link_url).searchParams.get('redirect_uri')).toBe(`${stage.node().url}/v1/agentid/callback`)
  const request = signed(stage, agent, 'POST', `/v1/agents/${agent.id}/agentid/link?redirect_uri=https://evil.example`)
  const headers = { 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' }
  const path = request.path.split('?')[0] ?? ''
  const again = signed(stage, agent, 'POST', path)
  const { body } = await send(stage, { ...again, path: request.path }, { headers })
  expect(String(body.link_url)).not.toContain('evil')
})

const issuer = (): string => stage.parts.identity.issuer
