import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bodyOfRaw, registered, startTestNode, statusOfRaw, type TestNode } from '../../tests/support/test-node.ts'

let node: TestNode
beforeAll(async () => {
  node = await startTestNode({ server: { headersTimeoutMs: 400, requestTimeoutMs: 600 } })
})
afterAll(() => node.stop(0))

const request = (line: string, headers: readonly string[] = [], body = '') =>
  `${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers.map((header) => `${header}\r\n`).join('')}\r\n${body}`

async function refused(text: string, status: number, error = 'bad_request') {
  const answer = await node.raw(text)
  expect(statusOfRaw(answer)).toBe(status)
  expect(answer).toMatch(/\r\nX-Request-Id: req_[0-9a-z]{28}\r\n/)
  expect(answer).toMatch(/\r\nX-Service-Skill-Latest: /)
  if (status === 401) expect(answer).toMatch(/\r\nWWW-Authenticate: AgentSig\r\n/)
  expect(bodyOfRaw(answer)).toMatchObject({
    error,
    message: expect.any(String),
    request_id: expect.stringMatching(/^req_/),
  })
}

describe('the request line', () => {
  test.each([
    'GET http://evil.example/v1/health',
    'GET https://evil.example/v1/health',
    'OPTIONS *',
    'GET /v1/health#fragment',
    'GET /v1/items/é',
  ])('%s is 400', async (line) => {
    await refused(request(line), 400)
  })

  test('an absolute form is 401 even when it was signed so, and the answer names the scheme', async () => {
    const agent = registered(node)
    const target = `${node.url}/v1/secret`
    const headers = Object.entries(agent.sign('GET', target)).map(([name, value]) => `${name}: ${value}`)
    await refused(request(`GET ${target}`, headers), 401, 'invalid_signature')
    await refused(request(`GET ${target}`), 400)
  })

  test('an absolute form whose host nobody can read is 400', async () => {
    await refused(request(`GET http://${'J'.repeat(20_000)}/v1/secret`, ['Authorization: AgentSig x']), 400)
  })

  test('a path that looks like a host is only a path', async () => {
    await refused(request('GET //evil.example/v1/health'), 404, 'not_found')
  })

  test('HTTP/1.1 without Host is 400', async () => {
    await refused('GET /v1/health HTTP/1.1\r\nConnection: close\r\n\r\n', 400)
  })

  test.each(['a b', 'a/b', 'user@a', 'a:b', 'a:1:2', '[::1', 'a#b', '"a"'])('Host: %s is 400', async (host) => {
    await refused(`GET /v1/health HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`, 400)
  })

  test.each(['', 'example.org', 'example.org:8787', '127.0.0.1', '[::1]:80', 'xn--bcher-kva.example'])(
    'Host: %s is taken',
    async (host) => {
      const answer = await node.raw(`GET /v1/health HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
      expect(statusOfRaw(answer)).toBe(200)
    },
  )

  test('HTTP/0.9 is 400, HTTP/1.0 is spoken', async () => {
    await refused('GET /v1/health\r\n\r\n', 400)
    expect(statusOfRaw(await node.raw('GET /v1/health HTTP/1.0\r\n\r\n'))).toBe(200)
  })
})

test('CONNECT is 405 at any address, and the connection is closed', async () => {
  for (const target of ['example.org:443', '127.0.0.1:8787', '/v1/health']) {
    const answer = await node.raw(`CONNECT ${target} HTTP/1.1\r\nHost: x\r\n\r\n`)
    expect(statusOfRaw(answer)).toBe(405)
    expect(answer).toContain('\r\nAllow: \r\n')
    expect(answer).toContain('\r\nConnection: close\r\n')
    expect(bodyOfRaw(answer)).toMatchObject({ error: 'method_not_allowed', message: 'This service is not a proxy.' })
  }
})

test('a caller that leaves after CONNECT harms nobody', async () => {
  const socket = connect(Number(new URL(node.url).port), '127.0.0.1')
  await new Promise<void>((resolve) =>
    socket.write('CONNECT example.org:443 HTTP/1.1\r\nHost: x\r\n\r\n', () => resolve()),
  )
  socket.resetAndDestroy()
  expect((await node.call('/v1/health')).status).toBe(200)
})

describe('headers sent twice', () => {
  test.each([
    'Authorization',
    'X-Timestamp',
    'X-Nonce',
    'PAYMENT-SIGNATURE',
    'Content-Type',
    'Idempotency-Key',
    'Host',
  ])('two %s headers are 400, in any case of letters, alike or not', async (name) => {
    await refused(request('GET /v1/health', [`${name}: a`, `${name}: a`]), 400)
    await refused(
      request('GET /v1/health', [`${name.toLowerCase()}: a`, 'X-Between: 1', `${name.toUpperCase()}: b`]),
      400,
    )
  })

  test('other headers may repeat', async () => {
    expect(
      statusOfRaw(await node.raw(request('GET /v1/health', ['X-Other: 1', 'X-Other: 2', 'Accept: a', 'Accept: b']))),
    ).toBe(200)
  })

  test('a signed request is accepted, and 401 with any of its headers doubled; the answer names the scheme', async () => {
    const agent = registered(node)
    const headers = Object.entries(agent.sign('GET', '/v1/secret', { nonce: 'Abc_-123' })).map((pair) =>
      pair.join(': '),
    )
    expect(statusOfRaw(await node.raw(request('GET /v1/secret', headers)))).toBe(200)
    for (const header of headers)
      await refused(request('GET /v1/secret', [...headers, header]), 401, 'invalid_signature')
    await refused(request('GET /v1/secret', [...headers, 'Content-Type: a', 'Content-Type: a']), 400)
  })
})

describe('malformed HTTP', () => {
  test.each([
    ['both lengths', request('POST /v1/post', ['Content-Length: 5', 'Transfer-Encoding: chunked'], '0\r\n\r\n')],
    ['two lengths', request('POST /v1/post', ['Content-Length: 5', 'Content-Length: 6'], 'abcdef')],
    ['a negative length', request('POST /v1/post', ['Content-Length: -1'])],
    ['a folded header', request('GET /v1/health', ['X-A: 1', ' folded'])],
    ['a space before the colon', request('GET /v1/health', ['X-A : 1'])],
    ['a bare line feed', 'GET /v1/health HTTP/1.1\nHost: x\n\n'],
    ['no HTTP at all', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n'],
    ['an unknown version', 'GET /v1/health HTTP/9.9\r\nHost: x\r\n\r\n'],
    ['an unknown method', 'HACK /v1/health HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['an unknown transfer coding', request('POST /v1/post', ['Transfer-Encoding: gzip'], 'x')],
  ])('%s is 400 in the shape of every refusal', async (_, text) => {
    await refused(text, 400)
  })

  test('a body in a coding that is not read away is 415', async () => {
    const compressed = request('POST /v1/post', ['Transfer-Encoding: gzip, chunked'], '2\r\n{}\r\n0\r\n\r\n')
    await refused(compressed, 415, 'unsupported_media_type')
  })

  test('8 kB of Authorization are 401, headers over 64 KiB are 431 headers_too_large', async () => {
    await refused(
      request('GET /v1/secret', [`Authorization: AgentSig ${'1'.repeat(8_000)}:x`]),
      401,
      'invalid_signature',
    )
    await refused(
      request('GET /v1/secret', [`Authorization: AgentSig ${'1'.repeat(50_000)}:x`]),
      401,
      'invalid_signature',
    )
    await refused(request('GET /v1/secret', [`Authorization: ${'1'.repeat(70_000)}`]), 431, 'headers_too_large')
  })

  test('garbage behind a request is not answered in the place of that request', async () => {
    const answer = await node.raw('GET /v1/health HTTP/1.1\r\nHost: x\r\n\r\nnonsense\r\n\r\n')
    expect([0, 200]).toContain(statusOfRaw(answer))
  })

  test('an unknown expectation is ignored', async () => {
    expect(statusOfRaw(await node.raw(request('GET /v1/health', ['Expect: tea'])))).toBe(200)
  })
})

describe('slow callers', () => {
  test('chunk extensions without end are 413 payload_too_large', async () => {
    const endless = `2;${'a'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`
    const chunked = request('POST /v1/post', ['Content-Type: application/json', 'Transfer-Encoding: chunked'], endless)
    await refused(chunked, 413, 'payload_too_large')
  })

  test('a head that does not end is 408 request_timeout', async () => {
    await refused('GET /v1/health HTTP/1.1\r\nHost: x\r\nX-Slow: ', 408, 'request_timeout')
  })

  test('a body that does not end is 408 request_timeout', async () => {
    await refused(
      'POST /v1/post HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
      408,
      'request_timeout',
    )
  })

  test('a connection that says nothing is closed', async () => {
    expect([0, 408]).toContain(statusOfRaw(await node.raw('')))
  })

  test('a caller that leaves in the middle of a body harms nobody', async () => {
    const socket = connect(Number(new URL(node.url).port), '127.0.0.1')
    await new Promise<void>((resolve) =>
      socket.write('POST /v1/post HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{', () => resolve()),
    )
    socket.resetAndDestroy()
    expect((await node.call('/v1/health')).status).toBe(200)
    expect(node.logged.filter(({ level }) => level !== 'info')).toEqual([])
  })
})
