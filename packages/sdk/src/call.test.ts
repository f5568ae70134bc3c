import { hashBody, parseAgentAuthorization, verifyRequest } from '@guildhall/protocol'
import { expect, test } from 'vitest'
import {
  clientOf,
  failureOf,
  NOW,
  refusal,
  type SeenRequest,
  scriptedService,
} from '../tests/support/scripted-service.ts'
import { isGuildhallError } from './index.ts'

const serverTime = NOW / 1000

function signatureHolds(request: SeenRequest): boolean {
  const authorization = parseAgentAuthorization(request.headers.authorization ?? '')
  if (authorization === null) return false
  return verifyRequest(authorization, {
    method: request.method,
    path: request.path.split('?')[0] ?? '',
    timestamp: Number(request.headers['x-timestamp']),
    bodyHash: hashBody(request.body),
    nonce: request.headers['x-nonce'],
  })
}

test('a call fills the path, writes the query and leaves a public read unsigned', async () => {
  const service = await scriptedService({}, {})
  const { call } = clientOf(service)
  await call('getAgent', { params: { id: 'Ada Lovelace/2' } })
  await call('listTasks', { query: { status: 'open', min_usdc: '2.50', limit: 5, capability: undefined } })
  expect(service.seen.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /v1/agents/Ada%20Lovelace%2F2',
    'GET /v1/tasks?status=open&min_usdc=2.50&limit=5',
  ])
  expect(service.seen.every(({ headers }) => headers.authorization === undefined)).toBe(true)
})

test('a signed call carries a signature that holds, with a nonce of its own each time', async () => {
  const service = await scriptedService({}, {}, {})
  const { tasks, events } = clientOf(service)
  await tasks.deliver('task_1', { summary: 'Grüße', submission_type: 'json' })
  await tasks.claim('task_1')
  await events.list({ limit: 3 })
  expect(service.seen.map(signatureHolds)).toEqual([true, true, true])
  expect(service.seen.map(({ headers }) => headers['x-timestamp'])).toEqual(Array(3).fill(String(serverTime)))
  const nonces = service.seen.map(({ headers }) => headers['x-nonce'])
  expect(new Set(nonces).size).toBe(3)
  expect(nonces.every((nonce) => /^[0-9a-f]{32}$/.test(nonce ?? ''))).toBe(true)
})

test('a body is sent where one is declared, and left out where it is optional and not given', async () => {
  const service = await scriptedService({}, {}, {})
  const { tasks, call } = clientOf(service)
  await tasks.cancel('task_1')
  await tasks.claim('task_1')
  await call('setFaults', { body: {} })
  expect(service.seen.map(({ body }) => body)).toEqual(['', '', '{}'])
  expect(service.seen.map(({ headers }) => headers['content-type'])).toEqual([undefined, undefined, 'application/json'])
})

test('a refusal becomes an error with code, status, request id and fields', async () => {
  const service = await scriptedService(refusal(409, 'max_revisions', { revision_count: 3 }))
  const error = await failureOf(clientOf(service).tasks.revision('task_1', { note: 'again' }))
  expect(isGuildhallError(error, 'max_revisions') && error.fields.revision_count).toBe(3)
  expect(error).toMatchObject({ code: 'max_revisions', status: 409, requestId: 'req_12345678', retryable: false })
  expect(String(error)).toBe('GuildhallError: max_revisions: about max_revisions')
})

test('an answer that no Guildhall service gives is an unexpected_answer', async () => {
  const service = await scriptedService({ status: 200, body: '<html>' }, { status: 404, body: 'nothing here' })
  const { service: area } = clientOf(service)
  expect(await failureOf(area.health())).toMatchObject({ code: 'unexpected_answer', status: 200 })
  expect(await failureOf(area.health())).toMatchObject({ code: 'unexpected_answer', fields: { body: 'nothing here' } })
})

test('a redirect is not followed', async () => {
  const elsewhere = await scriptedService({})
  const service = await scriptedService({ status: 307, headers: { Location: elsewhere.url } })
  expect(await failureOf(clientOf(service).tasks.claim('task_1'))).toMatchObject({ code: 'unexpected_answer' })
  expect(elsewhere.seen).toEqual([])
})

test('a wrong clock is corrected once from server_time, and the request is signed anew', async () => {
  const early = refusal(401, 'timestamp_out_of_range', { server_time: serverTime + 3600 })
  const service = await scriptedService(early, {}, {})
  const { tasks } = clientOf(service)
  await tasks.claim('task_1')
  await tasks.claim('task_2')
  expect(service.seen.map(({ headers }) => Number(headers['x-timestamp']) - serverTime)).toEqual([0, 3600, 3600])
  expect(service.seen.map(signatureHolds)).toEqual([true, true, true])

  const stubborn = await scriptedService(early, early)
  expect(await failureOf(clientOf(stubborn).tasks.claim('task_1'))).toMatchObject({ code: 'timestamp_out_of_range' })
  expect(stubborn.seen.length).toBe(2)
})

test('a call that cannot be made is refused before anything is sent', async () => {
  const service = await scriptedService()
  const nobody = clientOf(service, { key: undefined })
  expect(nobody.agentId).toBeNull()
  await expect(nobody.tasks.claim('task_1')).rejects.toThrow('a key is needed')
  await expect(nobody.tasks.get('..')).rejects.toThrow('is not a value for id')
  expect(() => clientOf({ url: 'http://127.0.0.1:1/guildhall' })).toThrow('baseUrl')
  for (const url of ['foo://127.0.0.1/', 'ftp://127.0.0.1', '127.0.0.1:8787', ''])
    expect(() => clientOf({ url })).toThrow(`baseUrl is http or https, host and port, not "${url}"`)
  expect(service.seen).toEqual([])
})
