import {
  encodePublicKey,
  generateKey,
  hashDocument,
  publicKeyOf,
  signText,
  solveProofOfWork,
} from '@guildhall/protocol'
import { createGuildhall, type Guildhall } from '@guildhall/sdk'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { freshName, newAgent } from './support/cast.ts'
import { refusalOf } from './support/refusals.ts'
import { setStage } from './support/stage.ts'

const stage = setStage({ nodes: 2, settings: { GUILDHALL_DIFFICULTY: '12' } })

const profile = (name: string) => ({ name, description: 'Counts.', capabilities: ['counting'] })

/** A key with an open challenge, and all that completes it. */
async function opened(name: string, client: Guildhall = stage.client()) {
  const { secretKey } = generateKey()
  const publicKey = publicKeyOf(secretKey)
  const public_key = encodePublicKey(publicKey)
  const { challenge_id, challenge, difficulty } = await client.call('registerInit', { body: { public_key } })
  const nonce = await solveProofOfWork(publicKey, difficulty)
  const signature = signText(secretKey, challenge)
  return { challenge_id, public_key, nonce: nonce ?? '', signature, profile: profile(name), challenge, secretKey }
}

type Body = Awaited<ReturnType<typeof opened>>
const complete = (body: Body, client: Guildhall = stage.client()) => {
  const { challenge: _, secretKey: __, ...sent } = body
  return client.call('registerComplete', { body: sent })
}

test('an agent registers with proof of work and a signed challenge, and the ledger says so', async () => {
  const agent = await newAgent(stage, { name: freshName('Ada') })
  const found = await stage.client().agents.get(agent.id)
  expect(found).toMatchObject({
    name: agent.name,
    status: 'active',
    capabilities: ['anything'],
    wallet_verified: false,
  })
  expect(await stage.client().agents.get(agent.name.toUpperCase())).toEqual(found)
  const latest = await stage.client().chain.latest()
  expect(latest).toMatchObject({ entry_type: 'registration', agent_id: agent.id, agent_name: agent.name })
  const { agent_id, public_key, name, description, capabilities, protocols, registered_at } = found
  const document = { agent_id, public_key, name, description, capabilities, protocols, registered_at }
  expect(latest.profile_hash).toBe(hashDocument(document))
})

test('wallet fields are not saved at registration, and the answer says so', async () => {
  const body = await opened('Walter')
  const wallet = { wallet_address: `0x${'12'.repeat(20)}`, wallet_network: 'eip155:8453' }
  const { challenge: _, secretKey: __, ...sent } = body
  const answer = await stage.client().call('registerComplete', { body: { ...sent, ...wallet } })
  expect(answer.wallet_not_saved).toContain('PATCH')
  expect(await stage.client().wallet.get(answer.agent_id)).toMatchObject({ wallet_address: null })
})

test('null for a wallet field at registration means absent', async () => {
  const { challenge: _, secretKey: __, ...sent } = await opened('Wanda')
  const none = { wallet_address: null, wallet_network: null }
  expect(await stage.client().call('registerComplete', { body: { ...sent, ...none } })).not.toHaveProperty(
    'wallet_not_saved',
  )
})

test('the id of a challenge may be sent in any letter case', async () => {
  const body = await opened('Una')
  expect(await complete({ ...body, challenge_id: body.challenge_id.toUpperCase() })).toMatchObject({ status: 'active' })
})

describe('a registration is refused', () => {
  test('for a nonce that does not solve the work; the challenge is not used up by it', async () => {
    const body = await opened('Nora')
    const wrong = { ...body, nonce: body.nonce === '00000000' ? '00000001' : '00000000' }
    await refusalOf(complete(wrong), 'invalid_proof')
    expect((await complete(body)).status).toBe('active')
  })

  test('for a signature over the decoded challenge: the text is signed as it stands', async () => {
    const body = await opened('Dora')
    const decoded = Buffer.from(body.challenge, 'base64').toString('latin1')
    const refused = await refusalOf(
      complete({ ...body, signature: signText(body.secretKey, decoded) }),
      'invalid_signature',
    )
    expect(refused.status).toBe(400)
  })

  test('for a challenge of another key, an unknown one, an older one and a used one', async () => {
    const [mine, other] = [await opened('Mine'), await opened('Other')]
    await refusalOf(complete({ ...mine, challenge_id: other.challenge_id }), 'invalid_challenge')
    await refusalOf(complete({ ...mine, challenge_id: crypto.randomUUID() }), 'invalid_challenge')
    await refusalOf(complete({ ...mine, challenge_id: '11111111-1111-1111-1111-111111111111' }), 'invalid_challenge')
    await refusalOf(complete({ ...mine, challenge_id: 'none' }), 'bad_request')
    const again = await stage.client().call('registerInit', { body: { public_key: mine.public_key } })
    await refusalOf(complete(mine), 'invalid_challenge')
    const newer = { ...mine, challenge_id: again.challenge_id, signature: signText(mine.secretKey, again.challenge) }
    await complete(newer)
    await refusalOf(complete(newer), 'invalid_challenge')
  })

  test('for a key that is registered already', async () => {
    const agent = await newAgent(stage)
    const init = stage.client().call('registerInit', { body: { public_key: agent.id.slice(3) } })
    await refusalOf(init, 'conflict')
  })

  test('for a key of small order, under which anybody can forge', async () => {
    const identity = encodePublicKey(new Uint8Array([1, ...new Uint8Array(31)]))
    await refusalOf(stage.client().call('registerInit', { body: { public_key: identity } }), 'bad_request')
  })

  test('for a challenge that is five minutes old, and not a moment before', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    onTestFinished(() => void vi.useRealTimers())
    const [early, late] = [await opened(freshName('Early')), await opened(freshName('Late'))]
    await stage.travel(299_000)
    expect((await complete(early)).status).toBe('active')
    await stage.travel(1_000)
    await refusalOf(complete(late), 'invalid_challenge')
  })
})

describe('a name', () => {
  test('is taken under case folding and look-alikes', async () => {
    await complete(await opened('Grace Hopper'))
    for (const name of ['GRACE HOPPER', 'grace hopper', 'Grаce Hopper', 'Ｇrace Hopper']) {
      await refusalOf(complete(await opened(name)), 'name_taken')
    }
  })

  test('of the house itself is taken, too, in any spelling', async () => {
    for (const name of ['Guildhall House', 'GUILDHALL  house', 'Guildhall Hоuse', 'Ｇuildhall House'])
      await refusalOf(complete(await opened(name)), 'name_taken')
  })

  test('of the service is nobody’s, in any spelling', async () => {
    for (const name of ['Guildhall', 'GUILDHALL', 'Guildhаll', 'guiIdhall'])
      await refusalOf(complete(await opened(name)), 'name_taken')
    const agent = await newAgent(stage, { name: 'Not the Guildhall' })
    await refusalOf(agent.client.agents.update({ name: 'Guildhall' }), 'name_taken')
  })

  test('is never reserved, like an id, too short, nor invisible', async () => {
    const long = 'a'.repeat(65)
    for (const name of ['me', 'search', 'ag_4Nd1mY5Zs', 'a', long, 'bi\u202edi', 'zero\u200bwidth', 'tab\tbed']) {
      const refused = await refusalOf(complete(await opened(name)), 'bad_request')
      expect(refused.fields.issues?.[0]?.path).toBe('profile.name')
    }
  })

  test('goes to one of two agents that want it at the same moment on two nodes', async () => {
    const clients = [stage.client({ node: 0 }), stage.client({ node: 1 })]
    const bodies = await Promise.all(clients.map((client) => opened('Contested', client)))
    const outcomes = await Promise.allSettled(bodies.map((body, place) => complete(body, clients[place])))
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const lost = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
    await refusalOf(Promise.reject(lost[0]), 'name_taken')
  })
})

test('one challenge registers once, however often it is completed at the same time', async () => {
  const body = await opened('Twice')
  const clients = [0, 1, 0, 1].map((node) => stage.client({ node }))
  const outcomes = await Promise.allSettled(clients.map((client) => complete(body, client)))
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})

test('a client without a registered key is not known', async () => {
  const stranger = createGuildhall({ baseUrl: stage.node().url, key: generateKey().secretKey, clock: stage.now })
  await refusalOf(stranger.tasks.post({ title: 'Hello', description: 'Anybody?' }), 'unknown_agent')
})
