import { generateKey } from '@guildhall/protocol'
import { describe, expect, test } from 'vitest'
import { newAgent, type Player } from './support/cast.ts'
import { outcomeOf, type RawRequest, send, signed } from './support/raw.ts'
import { setStage } from './support/stage.ts'
import { stopClock } from './support/stopped-clock.ts'
import { aDelivery, aTask, claimAndDeliver, postFree } from './support/tasks.ts'

const stage = setStage({ nodes: 2 })
const post = (agent: Player, signing?: Parameters<typeof signed>[5]) =>
  signed(stage, agent, 'POST', '/v1/tasks', aTask, signing)
const outcome = async (request: RawRequest, more?: Parameters<typeof send>[2]) =>
  outcomeOf(await send(stage, request, more))

describe('a signature counts once', () => {
  test.each([{ nonce: null }, {}])('for a change, here and on the other node (%o)', async (signing) => {
    const request = post(await newAgent(stage), signing)
    expect(await outcome(request)).toBe('200')
    expect(await outcome(request)).toBe('401 signature_replayed')
    expect(await outcome(request, { node: 1 })).toBe('401 signature_replayed')
  })

  test('for as long as its time is near enough, also after what has expired was forgotten', async () => {
    const ahead = { timestamp: Math.floor(stage.now() / 1000) + 59 }
    const request = post(await newAgent(stage), ahead)
    expect(await outcome(request)).toBe('200')
    await stage.travel(80_000)
    await stage.node().service.world.store.transaction((tx) => tx.forgetExpired(stage.now()))
    expect(await outcome(request)).toBe('401 signature_replayed')
  })

  test('but a call that wrote nothing may be sent again unchanged', async () => {
    const [poster, worker] = [await newAgent(stage), await newAgent(stage)]
    const id = await postFree(poster)
    const delivery = signed(stage, worker, 'POST', `/v1/tasks/${id}/deliver`, aDelivery)
    expect(await outcome(delivery)).toBe('409 invalid_state')
    await worker.client.tasks.claim(id)
    expect(await outcome(delivery)).toBe('200')
    expect(await outcome(delivery)).toBe('401 signature_replayed')
  })

  test('for an acceptance too, which gives the same answer only when it is signed again', async () => {
    const [poster, worker] = [await newAgent(stage), await newAgent(stage)]
    const id = await postFree(poster)
    await claimAndDeliver(worker, id)
    const acceptance = () => signed(stage, poster, 'POST', `/v1/tasks/${id}/accept`, {})
    const request = acceptance()
    const first = await send(stage, request)
    expect(outcomeOf(first)).toBe('200')
    for (const node of [0, 1]) expect(await outcome(request, { node })).toBe('401 signature_replayed')
    expect((await send(stage, acceptance())).body).toEqual(first.body)
  })

  test('and reads are never used up', async () => {
    const agent = await newAgent(stage)
    const read = signed(stage, agent, 'GET', `/v1/agents/${agent.id}/events`)
    for (const node of [0, 1, 0]) expect(await outcome(read, { node })).toBe('200')
  })

  test('with another nonce it is another request in the same second', async () => {
    const agent = await newAgent(stage)
    expect(await outcome(post(agent))).toBe('200')
    expect(await outcome(post(agent))).toBe('200')
  })
})

describe('the clock may differ by sixty seconds either way', () => {
  stopClock(stage)
  const seconds = () => Math.floor(stage.now() / 1000)

  test.each([-59, 59])('%i seconds are near enough', async (off) => {
    expect(await outcome(post(await newAgent(stage), { timestamp: seconds() + off }))).toBe('200')
  })

  test.each([-62, 62])('%i seconds are not, and the answer says what time it is', async (off) => {
    const answer = await send(stage, post(await newAgent(stage), { timestamp: seconds() + off }))
    expect(outcomeOf(answer)).toBe('401 timestamp_out_of_range')
    expect(Math.abs(Number(answer.body.server_time) - seconds())).toBeLessThanOrEqual(2)
  })

  test('and follows the moved clock', async () => {
    const agent = await newAgent(stage)
    const early = post(agent)
    await stage.travel(120_000)
    expect(await outcome(early)).toBe('401 timestamp_out_of_range')
    expect(await outcome(post(agent))).toBe('200')
  })
})

describe('a signature holds for one request, as it went out:', () => {
  const changed = async (change: (request: RawRequest) => Partial<RawRequest>) => {
    const agent = await newAgent(stage)
    const request = post(agent)
    return outcome({ ...request, ...change(request) })
  }
  const withHeader = (name: string, write: (value: string) => string) => (request: RawRequest) => ({
    headers: { ...request.headers, [name]: write(request.headers[name] ?? '') },
  })

  test('not for another body, be it the same JSON in other bytes', async () => {
    expect(await changed(({ body }) => ({ body: `${body} ` }))).toBe('401 invalid_signature')
    expect(await changed(({ body }) => ({ body: body?.replace('French', 'Dutch') ?? null }))).toBe(
      '401 invalid_signature',
    )
  })

  test('not for another path', async () => {
    const agent = await newAgent(stage)
    const id = await postFree(await newAgent(stage))
    const request = signed(stage, agent, 'POST', '/v1/tasks/elsewhere/claim')
    expect(await outcome({ ...request, path: `/v1/tasks/${id}/claim` })).toBe('401 invalid_signature')
  })

  test('not with another nonce, nor without the one that was signed', async () => {
    expect(await changed(withHeader('X-Nonce', () => 'another-nonce'))).toBe('401 invalid_signature')
    expect(await changed(({ headers: { 'X-Nonce': _, ...headers } }) => ({ headers }))).toBe('401 invalid_signature')
  })

  test.each([
    ['without padding', (value: string) => value.replace(/=+$/, '')],
    ['with a space too many', (value: string) => value.replace(' ', '  ')],
    ['with spare bits', (value: string) => value.replace(/.==$/, (end) => `${end.startsWith('A') ? 'B' : 'A'}==`)],
    ['without its scheme', (value: string) => value.replace('AgentSig ', '')],
    ['of another scheme', (value: string) => value.replace('AgentSig', 'Bearer')],
  ])('not in another spelling: %s', async (_, write) => {
    expect(await changed(withHeader('Authorization', write))).toBe('401 invalid_signature')
  })

  test.each(['1e9', '+1794727230', '1794727230.0', '0x6af9', '１７９４７２７２３０'.slice(0, 3)])(
    'not at the time %s',
    async (time) => {
      const answer = await changed(withHeader('X-Timestamp', () => encodeURI(time)))
      expect(answer).toBe('401 invalid_signature')
    },
  )
})

test('a call that has to be signed says so, and an unknown key is unknown', async () => {
  const agent = await newAgent(stage)
  const { headers: _, ...bare } = post(agent)
  const answer = await send(stage, { ...bare, headers: { 'Content-Type': 'application/json' } })
  expect(outcomeOf(answer)).toBe('401 auth_required')
  expect(await outcome(post({ ...agent, key: generateKey().secretKey }))).toBe('401 unknown_agent')
})

test('whatever went wrong, nothing was written', async () => {
  const agent = await newAgent(stage)
  const request = post(agent)
  await outcome({ ...request, body: '{}' })
  await outcome({ ...request, headers: { ...request.headers, 'X-Timestamp': '1' } })
  const { tasks } = await stage.client().call('listTasks', { query: { creator: agent.id, status: 'all' } })
  expect(tasks).toEqual([])
  expect(await outcome(request)).toBe('200')
})
