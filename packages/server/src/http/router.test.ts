import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { handlers } from '../../tests/support/test-declarations.ts'
import { registered, startTestNode, type TestNode } from '../../tests/support/test-node.ts'
import { until } from '../../tests/support/until.ts'
import { refuse } from '../domain/refusal.ts'

let node: TestNode
beforeAll(async () => {
  node = await startTestNode()
})
afterAll(() => node.stop(0))

const json = { 'Content-Type': 'application/json' }
const post = (path: string, body: string, headers: Record<string, string> = json) =>
  node.call(path, { method: 'POST', body, headers })
const errorOf = async (answer: Response) => [answer.status, ((await answer.json()) as { error: string }).error]

describe('finding the endpoint', () => {
  test('parameters are percent-decoded, and an endpoint answers at its other paths too', async () => {
    expect(await (await node.call('/v1/items/a%20b%2Fc')).json()).toEqual({ seen: { id: 'a b/c' } })
    expect(await (await node.call('/items/x?limit=5')).json()).toEqual({ seen: { id: 'x', limit: '5' } })
  })

  test('an unknown path is 404 not_found', async () => {
    expect(await errorOf(await node.call('/v1/nothing'))).toEqual([404, 'not_found'])
    expect(await errorOf(await node.call('/v1/health/'))).toEqual([404, 'not_found'])
  })

  test('a known path with a wrong method is 405 method_not_allowed with Allow', async () => {
    const answer = await node.call('/v1/items/x', { method: 'DELETE' })
    expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS, PUT')
    expect(await errorOf(answer)).toEqual([405, 'method_not_allowed'])
    expect((await node.call('/v1/post', { method: 'HEAD' })).status).toBe(405)
  })

  test('X-HTTP-Method-Override is ignored', async () => {
    expect((await node.call('/v1/health', { headers: { 'X-HTTP-Method-Override': 'DELETE' } })).status).toBe(200)
  })

  test('endpoints of the sandbox exist only there', async () => {
    expect((await node.call('/v1/sandbox')).status).toBe(404)
    const sandbox = await startTestNode({ sandbox: true })
    expect((await sandbox.call('/v1/sandbox')).status).toBe(200)
    await sandbox.stop(0)
  })

  test('an endpoint without a handler is noticed at the start', async () => {
    const { health: _, ...rest } = handlers
    const start = startTestNode({ handlers: { ...rest, health: undefined as never } })
    await expect(start).rejects.toThrow('health has no handler')
  })
})

describe('HEAD and OPTIONS', () => {
  test('HEAD answers as GET does, without the body', async () => {
    const [head, get] = [await node.call('/v1/items/x', { method: 'HEAD' }), await node.call('/v1/items/x')]
    expect(head.status).toBe(200)
    expect(await head.text()).toBe('')
    for (const name of ['content-length', 'etag', 'content-type', 'cache-control'])
      expect(head.headers.get(name)).toBe(get.headers.get(name))
    expect((await node.call('/v1/items/missing', { method: 'HEAD' })).status).toBe(404)
  })

  test('HEAD is checked like GET and signed as HEAD', async () => {
    const agent = registered(node)
    expect((await node.call('/v1/secret', { method: 'HEAD' })).status).toBe(401)
    expect((await node.call('/v1/secret', { method: 'HEAD', headers: agent.sign('GET', '/v1/secret') })).status).toBe(
      401,
    )
    expect((await node.call('/v1/secret', { method: 'HEAD', headers: agent.sign('HEAD', '/v1/secret') })).status).toBe(
      200,
    )
  })

  test('a preflight from any origin is allowed, with the headers of signatures and payments', async () => {
    const answer = await node.call('/v1/pay', { method: 'OPTIONS', headers: { Origin: 'https://anywhere.example' } })
    expect(answer.status).toBe(204)
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.headers.get('access-control-allow-methods')).toBe('OPTIONS, POST')
    for (const name of [
      'Authorization',
      'X-Timestamp',
      'X-Nonce',
      'PAYMENT-SIGNATURE',
      'Content-Type',
      'Idempotency-Key',
    ])
      expect(answer.headers.get('access-control-allow-headers')?.split(', ')).toContain(name)
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
    expect((await node.call('/v1/nothing', { method: 'OPTIONS' })).status).toBe(404)
  })
})

describe('the order of checks', () => {
  const path = '/v1/items/x'
  const put = (body: string, headers: Record<string, string>) =>
    node.call(path, { method: 'PUT', body, headers: { ...json, ...headers } })

  test('a signed endpoint says 401 before it says what is wrong with the body', async () => {
    expect(await errorOf(await put('{"title":', {}))).toEqual([401, 'auth_required'])
    expect(await errorOf(await put('{"title":', registered(node).sign('PUT', path)))).toEqual([
      401,
      'invalid_signature',
    ])
    const broken = '{"title":'
    expect(await errorOf(await put(broken, registered(node).sign('PUT', path, { body: broken })))).toEqual([
      400,
      'bad_request',
    ])
  })

  test('the size and type of the body are checked before the signature', async () => {
    expect((await put('x'.repeat(262_145), {})).status).toBe(413)
    expect((await put('{}', { 'Content-Type': 'text/plain' })).status).toBe(415)
  })

  test('the raw path is signed: undecoded, without the query', async () => {
    const agent = registered(node)
    const raw = '/v1/items/a%20b'
    const body = '{"title":"x"}'
    const send = (signedPath: string) =>
      node.call(`${raw}?x=1`, { method: 'PUT', body, headers: { ...json, ...agent.sign('PUT', signedPath, { body }) } })
    expect(await (await send(raw)).json()).toEqual({ seen: { name: 'a b', title: 'x', by: agent.id } })
    expect((await send('/v1/items/a b')).status).toBe(401)
    expect((await send(`${raw}?x=1`)).status).toBe(401)
  })

  test('only agents who are about to change something are followed on their way', async () => {
    let followed = 0
    const follow = <T>(arriving: Promise<T>) => {
      followed++
      return arriving
    }
    const watched = await startTestNode({ arrivals: { follow, whenHere: (begin) => begin() } })
    const agent = registered(watched)
    const [path, body] = ['/v1/items/a', '{"title":"x"}']
    const headers = { ...json, ...agent.sign('PUT', path, { body }) }
    expect((await watched.call('/v1/secret', { headers: agent.sign('GET', '/v1/secret') })).status).toBe(200)
    expect((await watched.call('/v1/post', { method: 'POST', body: '{"text":"a"}', headers: json })).status).toBe(200)
    expect(followed).toBe(0)
    expect((await watched.call(path, { method: 'PUT', body, headers })).status).toBe(200)
    expect(followed).toBe(1)
    await watched.stop(0)
  })

  test('malformed percent-encoding and NUL in a parameter are 400, after the signature', async () => {
    for (const id of ['%', '%zz', '%ff', '%c3%28', 'a%00b']) {
      expect(await errorOf(await node.call(`/v1/items/${id}`))).toEqual([400, 'bad_request'])
      const answer = await node.call(`/v1/items/${id}`, { method: 'PUT', body: '{}', headers: json })
      expect(answer.status).toBe(401)
    }
  })

  test('an endpoint without a body ignores what JSON says, but not what was signed', async () => {
    const agent = registered(node)
    const send = (body: string, signedBody: string, type = 'application/json') =>
      node.call('/v1/act', {
        method: 'POST',
        body,
        headers: { ...agent.sign('POST', '/v1/act', { body: signedBody }), 'Content-Type': type },
      })
    expect((await send('{"anything":1}', '{"anything":1}')).status).toBe(200)
    expect((await send('{}', '{}')).status).toBe(200)
    expect((await send('', '')).status).toBe(200)
    expect((await send('', '', 'text/plain')).status).toBe(200)
    expect(await errorOf(await send('hello', 'hello', 'text/plain'))).toEqual([415, 'unsupported_media_type'])
    expect(await errorOf(await send('anything {', 'anything {'))).toEqual([400, 'bad_request'])
    expect((await send('{}', '')).status).toBe(401)
    expect((await send('x'.repeat(262_145), 'x'.repeat(262_145))).status).toBe(413)
  })

  test('an optional signature may be left out, but not be wrong', async () => {
    const agent = registered(node)
    const path = '/v1/report'
    expect(await (await post(path, '{"text":"a"}')).json()).toEqual({ seen: { text: 'a', by: null } })
    const signed = { ...json, ...agent.sign('POST', path, { body: '{}' }) }
    expect(await (await post(path, '{}', signed)).json()).toEqual({ seen: { by: agent.id } })
    expect(await errorOf(await post(path, '{"text":"b"}', signed))).toEqual([401, 'invalid_signature'])
    expect(await errorOf(await post(path, '{}', { ...json, Authorization: '' }))).toEqual([401, 'invalid_signature'])
  })
})

describe('what is malformed', () => {
  test('names every field in issues', async () => {
    const answer = await node.call('/v1/items/x?limit=abc')
    expect(await answer.json()).toMatchObject({
      error: 'bad_request',
      issues: [{ path: 'limit', message: 'A whole number is needed.' }],
    })
  })

  test('has the code that the endpoint names for a query value', async () => {
    expect(await errorOf(await node.call('/v1/items/x?after=1'))).toEqual([400, 'invalid_cursor'])
    expect(await errorOf(await node.call('/v1/items/x?after=1&limit=x'))).toEqual([400, 'invalid_cursor'])
    expect(await errorOf(await node.call('/v1/items/x?after=123&after=456'))).toEqual([400, 'invalid_cursor'])
  })

  test('a query value is never ignored: given twice or badly encoded is 400; what is not declared is left alone', async () => {
    expect((await node.call('/v1/items/x?limit=1&limit=2')).status).toBe(400)
    expect((await node.call('/v1/items/x?limit=%zz')).status).toBe(400)
    expect((await node.call('/v1/items/x?limit=1%00')).status).toBe(400)
    expect((await node.call('/v1/items/x?limit=')).status).toBe(400)
    expect((await node.call('/v1/items/x?limit')).status).toBe(400)
    expect((await node.call('/v1/items/x?utm=1&utm=2&__proto__=3&&=4')).status).toBe(200)
    expect(await (await node.call('/v1/items/x?after=a+b%2B')).json()).toEqual({ seen: { id: 'x', after: 'a b+' } })
  })

  test('a great many repeated values are answered at once', async () => {
    const answeredAfterMs = async () => {
      const startedAt = performance.now()
      expect((await node.call(`/v1/items/x?${'limit&'.repeat(8_000)}`)).status).toBe(400)
      return performance.now() - startedAt
    }
    // A machine that is busy with something else may be late now and then.
    await until(answeredAfterMs, (ms) => ms < 500)
  })
})

describe('limits', () => {
  test('the third call of two in a minute is 429 with Retry-After, and the next minute is free again', async () => {
    const limited = await startTestNode()
    const call = () => limited.call('/v1/limited', { method: 'POST' })
    const first = await call()
    expect(first.headers.get('ratelimit-policy')).toBe('"limited";q=2;w=60')
    expect(first.headers.get('ratelimit')).toBe('"limited";r=1;t=60')
    expect((await call()).status).toBe(200)
    const third = await call()
    expect(third.headers.get('retry-after')).toBe('60')
    expect(third.headers.get('ratelimit')).toBe('"limited";r=0;t=60')
    expect(await errorOf(third)).toEqual([429, 'rate_limited'])
    limited.now += 60_000
    expect((await call()).status).toBe(200)
    await limited.stop(0)
  })

  test('a call that is not well-formed uses up no limit; a well-formed one does, whatever comes of it', async () => {
    const limited = await startTestNode({
      handlers: { limited: async ({ body }) => (body.wrong ? refuse('not_found') : { body: { ok: true } }) },
    })
    const call = (body: string) =>
      limited.call('/v1/limited', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
    for (const body of ['{', '[]', '{"wrong":1}']) expect(await errorOf(await call(body))).toEqual([400, 'bad_request'])
    expect((await call('{"wrong":true}')).headers.get('ratelimit')).toBe('"limited";r=1;t=60')
    expect(await errorOf(await call('{"wrong":true}'))).toEqual([404, 'not_found'])
    expect(await errorOf(await call('{}'))).toEqual([429, 'rate_limited'])
    expect(await errorOf(await call('{'))).toEqual([400, 'bad_request'])
    await limited.stop(0)
  })

  test('only the registration limits can be switched off', async () => {
    const sandbox = await startTestNode({ registrationLimited: false })
    const statuses = async (path: string) => {
      const answers = await Promise.all([1, 2, 3].map(() => sandbox.call(path, { method: 'POST' })))
      return answers.map((answer) => answer.status)
    }
    expect(await statuses('/v1/register/init')).toEqual([200, 200, 200])
    expect(await statuses('/v1/limited')).toEqual([200, 200, 429])
    await sandbox.stop(0)
  })

  test('callers behind a trusted proxy are counted apart', async () => {
    const proxied = await startTestNode({ trustedProxies: ['127.0.0.1'] })
    const from = (ip: string) =>
      proxied.call('/v1/register/init', { method: 'POST', headers: { 'X-Forwarded-For': ip } })
    expect((await from('198.51.100.1')).status).toBe(200)
    expect((await from('6.6.6.6, 198.51.100.1')).status).toBe(429)
    expect((await from('198.51.100.2')).status).toBe(200)
    await proxied.stop(0)
  })
})
