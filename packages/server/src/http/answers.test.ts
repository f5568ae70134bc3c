import { SKILL_VERSION } from '@guildhall/protocol'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TERMS } from '../../tests/support/test-declarations.ts'
import { startTestNode, type TestNode } from '../../tests/support/test-node.ts'
import { refusal, refuse } from '../domain/refusal.ts'
import { StoreUnavailableError } from '../domain/store-unavailable.ts'

let node: TestNode
beforeAll(async () => {
  node = await startTestNode()
})
afterAll(() => node.stop(0))

describe('every answer', () => {
  test.each(['/v1/health', '/v1/nothing', '/v1/items/missing', '/v1/secret'])(
    '%s carries the request id, the latest skill version and what browsers need',
    async (path) => {
      const { headers } = await node.call(path)
      expect(headers.get('x-request-id')).toMatch(/^req_[0-9a-z]{28}$/)
      expect(headers.get('x-service-skill-latest')).toBe(SKILL_VERSION)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('content-type')).toBe('application/json')
      expect(headers.get('access-control-allow-origin')).toBe('*')
      const exposed = headers.get('access-control-expose-headers')?.split(', ')
      for (const name of [
        'PAYMENT-REQUIRED',
        'PAYMENT-RESPONSE',
        'X-Request-Id',
        'RateLimit',
        'RateLimit-Policy',
        'Retry-After',
        'ETag',
      ])
        expect(exposed).toContain(name)
    },
  )

  test('a caller’s own request id is kept when it fits, and is in the body of a refusal', async () => {
    const call = (id: string) => node.call('/v1/nothing', { headers: { 'X-Request-Id': id } })
    const kept = await call('my.id:1-2_3')
    expect(kept.headers.get('x-request-id')).toBe('my.id:1-2_3')
    expect(await kept.json()).toMatchObject({ request_id: 'my.id:1-2_3' })
    for (const id of ['short', 'x'.repeat(129), 'with space', '"><script>', '']) {
      const made = await call(id)
      expect(made.headers.get('x-request-id')).toMatch(/^req_/)
    }
  })

  test('a refusal says its code, what to do, the request id and its fields', async () => {
    const answer = await node.call('/v1/items/missing')
    expect(answer.status).toBe(404)
    expect(await answer.json()).toEqual({
      error: 'not_found',
      message: 'There is nothing here.',
      request_id: answer.headers.get('x-request-id'),
      resource: 'item',
    })
  })

  test('a 401 names the scheme of Authorization that is asked for; no other refusal does', async () => {
    const challenge = async (path: string) => (await node.call(path)).headers.get('www-authenticate')
    expect(await challenge('/v1/secret')).toBe('AgentSig')
    expect(await challenge('/v1/items/missing')).toBeNull()
  })

  test('a refusal repeats only the beginning of what was asked for', async () => {
    const wordy = await startTestNode({
      handlers: { readItem: async ({ params }) => refuse('not_found', {}, `There is no item ${params.id}.`) },
    })
    const answer = await wordy.call(`/v1/items/${encodeURIComponent('\u{1F3DB}'.repeat(2_000))}`)
    const { message } = (await answer.json()) as { readonly message: string }
    expect([answer.status, message.length, message.isWellFormed()]).toEqual([404, 501, true])
    await wordy.stop(0)
  })

  test('a status that the declaration names is used; a deprecated endpoint always says so', async () => {
    const post = (path: string, headers = {}) => node.call(path, { method: 'POST', headers })
    expect((await post('/v1/report')).status).toBe(201)
    expect((await post('/v1/report')).headers.get('deprecation')).toBeNull()
    const paid = await post('/v1/pay', { 'PAYMENT-SIGNATURE': 'x' })
    const unpaid = await post('/v1/pay')
    expect([paid.headers.get('deprecation'), unpaid.headers.get('deprecation')]).toEqual(['true', 'true'])
    const other = await startTestNode({ handlers: { pay: async () => refuse('invalid_signature') } })
    expect((await other.call('/v1/pay', { method: 'POST' })).status).toBe(400)
    await other.stop(0)
  })
})

describe('caching', () => {
  test('a public answer has an ETag and is 304 when the caller has it: as a list, weakly, and with *', async () => {
    const first = await node.call('/v1/items/x')
    const etag = first.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[A-Za-z0-9_-]+"$/)
    expect(first.headers.get('cache-control')).toBe('public, max-age=0, must-revalidate')
    for (const value of [etag, `"other", ${etag}`, `W/${etag}`, '*']) {
      const again = await node.call('/v1/items/x', { headers: { 'If-None-Match': value } })
      expect(again.status).toBe(304)
      expect(await again.text()).toBe('')
      expect(again.headers.get('etag')).toBe(etag)
      expect(again.headers.get('cache-control')).toBe('public, max-age=0, must-revalidate')
      expect(again.headers.get('x-request-id')).toMatch(/^req_/)
    }
    expect((await node.call('/v1/items/y', { headers: { 'If-None-Match': etag } })).status).toBe(200)
    expect((await node.call('/v1/items/missing', { headers: { 'If-None-Match': '*' } })).status).toBe(404)
  })

  test('a public answer that is not to be stored has one, too', async () => {
    const health = await node.call('/v1/health')
    const etag = health.headers.get('etag') ?? ''
    expect([health.status, health.headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(etag).toMatch(/^"[A-Za-z0-9_-]+"$/)
    const again = await node.call('/v1/health', { headers: { 'If-None-Match': etag } })
    expect([again.status, again.headers.get('cache-control')]).toEqual([304, 'no-store'])
  })

  test('everything else is not stored', async () => {
    expect((await node.call('/v1/items/missing')).headers.get('cache-control')).toBe('no-store')
  })

  test('a handler can say otherwise with its own headers', async () => {
    const other = await startTestNode({
      handlers: { health: async () => ({ body: { ok: true }, headers: { 'cache-control': 'public, max-age=60' } }) },
    })
    expect((await other.call('/v1/health')).headers.get('cache-control')).toBe('public, max-age=60')
    await other.stop(0)
  })
})

describe('payments', () => {
  test('terms that are asked for again are told again, with the id of the request at hand', async () => {
    const terms = refusal('payment_required', TERMS)
    const other = await startTestNode({
      handlers: {
        pay: async () => {
          throw terms
        },
      },
    })
    const ask = async (id: string) => {
      const answer = await other.call('/v1/pay', { method: 'POST', headers: { 'X-Request-Id': id } })
      return { header: answer.headers.get('payment-required'), body: await answer.json() }
    }
    const [first, second] = [await ask('request-1'), await ask('request-2')]
    expect(first.body).toEqual({
      error: 'payment_required',
      message: terms.message,
      request_id: 'request-1',
      ...terms.fields,
    })
    expect(second).toEqual({ header: first.header, body: { ...first.body, request_id: 'request-2' } })
    await other.stop(0)
  })

  test('a 402 carries the requirements in PAYMENT-REQUIRED and in the body', async () => {
    const answer = await node.call('/v1/pay', { method: 'POST' })
    const header = JSON.parse(Buffer.from(answer.headers.get('payment-required') ?? '', 'base64').toString())
    expect(answer.status).toBe(402)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(header).toEqual({ error: 'payment_required', ...TERMS })
    expect(await answer.json()).toMatchObject({ error: 'payment_required', ...TERMS })
  })

  test('a handler sees the text of PAYMENT-SIGNATURE as it was sent, and may answer with PAYMENT-RESPONSE', async () => {
    const answer = await node.call('/v1/pay', { method: 'POST', headers: { 'PAYMENT-SIGNATURE': '{"x402Version":2}' } })
    expect(await answer.json()).toEqual({ seen: '{"x402Version":2}' })
    expect(answer.headers.get('payment-response')).toBe('e30=')
  })
})

describe('faults of ours', () => {
  const failing = (error: unknown, options = {}) =>
    startTestNode({
      ...options,
      handlers: {
        health: async () => {
          throw error
        },
      },
    })

  test('are a bare 500 with the request id, logged, and show neither stack nor SQL', async () => {
    const other = await failing(new Error('select secret from agents where password = 1'))
    const answer = await other.call('/v1/health')
    const text = await answer.text()
    expect(answer.status).toBe(500)
    expect(JSON.parse(text)).toMatchObject({ error: 'internal_error', request_id: answer.headers.get('x-request-id') })
    expect(text).not.toMatch(/secret|select|\.ts|at /)
    const alarm = other.logged.find(({ level }) => level === 'alarm')
    expect(alarm?.fields).toMatchObject({ request_id: answer.headers.get('x-request-id'), path: '/v1/health' })
    expect(alarm?.fields.error).toContain('select secret')
    await other.stop(0)
  })

  test('a lost store is 503 service_unavailable with Retry-After', async () => {
    const other = await failing(new StoreUnavailableError('connection refused'))
    const answer = await other.call('/v1/health')
    expect(answer.status).toBe(503)
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(await answer.json()).toMatchObject({ error: 'service_unavailable' })
    expect(other.logged.some(({ level }) => level === 'alarm')).toBe(false)
    await other.stop(0)
  })

  test('where the change may have been written all the same, it says so', async () => {
    const other = await failing(new StoreUnavailableError('lost at commit', { maybeWritten: true }))
    const answer = await other.call('/v1/health')
    expect(answer.status).toBe(503)
    expect(await answer.json()).toMatchObject({
      error: 'service_unavailable',
      message: expect.stringContaining('may have been carried out'),
      maybe_done: true,
    })
    await other.stop(0)
  })

  test('whatever is thrown, the next request is answered', async () => {
    for (const thrown of [undefined, null, 'text', { code: 'x' }]) {
      const other = await failing(thrown)
      expect((await other.call('/v1/health')).status).toBe(500)
      expect((await other.call('/v1/items/x')).status).toBe(200)
      await other.stop(0)
    }
  })

  test('a header that cannot be written is a 500, not a crash', async () => {
    const other = await startTestNode({
      handlers: {
        health: async () => ({ body: { ok: true }, headers: { 'PAYMENT-RESPONSE': 'a\r\nSet-Cookie: x=1' } }),
      },
    })
    const answer = await other.call('/v1/health')
    expect(answer.status).toBe(500)
    expect(answer.headers.get('set-cookie')).toBeNull()
    await other.stop(0)
  })
})

describe('answers held against their declarations', () => {
  const answering = (body: unknown, checkAnswers: boolean) =>
    startTestNode({ checkAnswers, handlers: { health: async () => ({ body: body as { ok: true } }) } })

  test.each([
    [{ ok: false }, 'a wrong value'],
    [{}, 'a missing field'],
    [{ ok: true, secret: 1 }, 'a field that is not declared'],
  ])('%j fails a test: %s', async (body: unknown, _why: string) => {
    const checked = await answering(body, true)
    const answer = await checked.call('/v1/health')
    expect(answer.status).toBe(500)
    expect(await answer.text()).toContain('health answered something undeclared')
    await checked.stop(0)
    const served = await answering(body, false)
    expect((await served.call('/v1/health')).status).toBe(200)
    await served.stop(0)
  })

  test('a refusal that the endpoint does not declare fails a test and is warned of in production', async () => {
    const handlers = { health: async () => refuse('own_task') }
    const checked = await startTestNode({ handlers })
    const answer = await checked.call('/v1/health')
    expect([answer.status, await answer.text()]).toEqual([500, expect.stringContaining('own_task')])
    await checked.stop(0)
    const served = await startTestNode({ handlers, checkAnswers: false })
    expect((await served.call('/v1/health')).status).toBe(400)
    expect(served.logged.filter(({ level }) => level === 'warn')).toHaveLength(1)
    await served.stop(0)
  })
})

describe('the access log', () => {
  test('has one line per request, with the template of the path and nothing that could be secret', async () => {
    const other = await startTestNode()
    await other.call('/v1/items/gmt_secret?token=secret', {
      headers: { Authorization: 'Bearer secret', 'X-Request-Id': 'request-1' },
    })
    await other.call('/secret')
    await other.stop(0)
    const lines = other.logged.filter(({ message }) => message === 'request').map(({ fields }) => fields)
    expect(lines).toEqual([
      { method: 'GET', path: '/v1/items/{id}', status: 200, ms: expect.any(Number), request_id: 'request-1' },
      { method: 'GET', path: null, status: 404, ms: expect.any(Number), request_id: expect.any(String) },
    ])
    expect(JSON.stringify(other.logged)).not.toContain('secret')
  })

  test('can be turned off', async () => {
    const other = await startTestNode({ accessLog: false })
    await other.call('/v1/health')
    await other.stop(0)
    expect(other.logged).toEqual([])
  })
})

describe('an answer that goes on', () => {
  test('is written by its stream under our headers', async () => {
    const other = await startTestNode({
      handlers: {
        health: async () => ({
          stream: (response) => {
            response.write('data: 1\n\n')
            response.end('data: 2\n\n')
          },
        }),
      },
    })
    const answer = await other.call('/v1/health')
    expect(answer.headers.get('content-type')).toBe('text/event-stream')
    expect(answer.headers.get('x-request-id')).toMatch(/^req_/)
    expect(await answer.text()).toBe('data: 1\n\ndata: 2\n\n')
    expect(await (await other.call('/v1/health', { method: 'HEAD' })).text()).toBe('')
    await other.stop(0)
  })
})
