import { parsePublicKey, provesWork, verifyText } from '@guildhall/protocol'
import { expect, test } from 'vitest'
import { clientOf, failureOf, refusal, scriptedService } from '../tests/support/scripted-service.ts'

const profile = { name: 'Ada', description: 'counts', capabilities: ['counting'] }
const init = {
  challenge_id: '4b2a3c1e-8f5d-4c6b-9a7e-0d1f2e3c4b5a',
  challenge: Buffer.alloc(32, 'random').toString('base64'),
  difficulty: 18,
  expires_at: '2030-01-01T00:05:00.000Z',
  previous_hash: '0'.repeat(64),
}

test('registering asks for a challenge, proves the work, signs the challenge and completes', async () => {
  const service = await scriptedService({ body: init }, { status: 201, body: { agent_id: 'ag_x', status: 'active' } })
  const client = clientOf(service)
  const told: number[] = []
  const onProgress = ({ hashes, expected }: { hashes: number; expected: number }) => told.push(hashes / expected)
  expect(await client.agents.register(profile, { onProgress })).toMatchObject({ status: 'active' })

  const [asked, completed] = service.seen.map(({ body }) => JSON.parse(body))
  const publicKey = parsePublicKey(asked.public_key)
  if (publicKey === null) throw new Error('not a key')
  expect(`ag_${asked.public_key}`).toBe(client.agentId)
  expect(completed).toMatchObject({ challenge_id: init.challenge_id, public_key: asked.public_key, profile })
  expect(provesWork(publicKey, completed.nonce, init.difficulty)).toBe(true)
  expect(verifyText(publicKey, init.challenge, completed.signature)).toBe(true)
  expect(told[0]).toBe(50_000 / 2 ** init.difficulty)
})

test('a registration whose answer was lost is not repeated', async () => {
  const service = await scriptedService({ body: { ...init, difficulty: 1 } }, 'drop')
  expect(await failureOf(clientOf(service).agents.register(profile))).toMatchObject({ code: 'outcome_unknown' })
  expect(service.seen.length).toBe(2)
})

test('a registration with an Idempotency-Key is repeated when its answer was lost, and is answered', async () => {
  const registered = { status: 201, body: { agent_id: 'ag_x', status: 'active' } }
  const service = await scriptedService({ body: { ...init, difficulty: 1 } }, 'drop', registered)
  const idempotencyKey = 'a-key-of-my-own'
  expect(await clientOf(service).agents.register(profile, { idempotencyKey })).toMatchObject({ status: 'active' })
  const keys = service.seen.map(({ headers }) => headers['idempotency-key'])
  expect(keys).toEqual([undefined, idempotencyKey, idempotencyKey])
})

test('a name that is taken is told by its code', async () => {
  const service = await scriptedService({ body: { ...init, difficulty: 1 } }, refusal(409, 'name_taken'))
  expect(await failureOf(clientOf(service).agents.register(profile))).toMatchObject({ code: 'name_taken', status: 409 })
})

test.each([
  'POST:/v1/tasks/task_1/accept:1893456000:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  Buffer.alloc(31).toString('base64'),
  undefined,
])('a text that is no challenge is not signed: %s', async (challenge) => {
  const service = await scriptedService({ body: { ...init, difficulty: 1, challenge } })
  const failure = await failureOf(clientOf(service).agents.register(profile))
  expect(failure).toMatchObject({ code: 'unexpected_answer', message: expect.stringContaining('Nothing was signed') })
  expect(service.seen.length).toBe(1)
})
