import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestNode, statusOfRaw, type TestNode } from '../../tests/support/test-node.ts'

let node: TestNode
beforeAll(async () => {
  node = await startTestNode()
})
afterAll(() => node.stop(0))

const CAP = 256 * 1024
const post = (body: BodyInit | undefined, headers: Record<string, string> = {}) =>
  node.call('/v1/post', {
    method: 'POST',
    ...(body === undefined ? {} : { body }),
    headers: { 'Content-Type': 'application/json', ...headers },
  })
const errorOf = async (answer: Response) => [answer.status, ((await answer.json()) as { error: string }).error]
const jsonOf = (bytes: number) => `"${'x'.repeat(bytes - 2)}"`
const chunked = (text: string) =>
  new ReadableStream({
    start(controller) {
      for (let at = 0; at < text.length; at += 50_000) controller.enqueue(Buffer.from(text.slice(at, at + 50_000)))
      controller.close()
    },
  })

describe('the size of a body', () => {
  test('256 KiB are taken, one byte more is 413, with a length and in chunks', async () => {
    expect((await post(jsonOf(CAP))).status).toBe(200)
    expect(await errorOf(await post(jsonOf(CAP + 1)))).toEqual([413, 'payload_too_large'])
    const stream = (bytes: number) =>
      node.call('/v1/post', {
        method: 'POST',
        body: chunked(jsonOf(bytes)),
        headers: { 'Content-Type': 'application/json' },
        duplex: 'half',
      } as RequestInit)
    expect((await stream(CAP)).status).toBe(200)
    expect(await errorOf(await stream(CAP + 1))).toEqual([413, 'payload_too_large'])
  })

  test('the answer to a body far too large reaches a caller that is still sending, and the connection is closed', async () => {
    for (const body of ['x'.repeat(1_000_000), 'x'.repeat(3_000_000)]) {
      const answer = await node.raw(
        `POST /v1/post HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      )
      expect(statusOfRaw(answer)).toBe(413)
      expect(answer).toContain('Connection: close')
      expect(answer).toContain('"error":"payload_too_large"')
    }
    const endless = `${'2710\r\n'}${'x'.repeat(10_000)}\r\n`.repeat(60)
    const answer = await node.raw(
      `POST /v1/post HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${endless}0\r\n\r\n`,
    )
    expect(statusOfRaw(answer)).toBe(413)
    expect(answer).toContain('"error":"payload_too_large"')
  })

  test('a claimed length that is too large is refused without waiting for the body', async () => {
    const startedAt = performance.now()
    const answer = await node.raw('POST /v1/post HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999\r\n\r\n')
    expect(statusOfRaw(answer)).toBe(413)
    expect(performance.now() - startedAt).toBeLessThan(20_000)
  })

  test('a refusal before the body was read leaves the connection in order for the next request', async () => {
    const first = `POST /v1/nothing HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n${'y'.repeat(100)}`
    const second = 'GET /v1/health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
    const statuses = [...(await node.raw(first + second)).matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status)
    expect(statuses).toEqual(['404', '200'])
  })
})

describe('the type of a body', () => {
  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json; charset=utf8',
    'application/json;',
    'application/json; ; charset=utf-8;',
    'application/json ; charset="utf-8"',
    'Application/JSON',
    'application/json; foo=bar',
    'application/json; profile="a; b"; charset=utf-8',
  ])('%s is taken', async (type) => {
    expect((await post('{}', { 'Content-Type': type })).status).toBe(200)
  })

  test.each([
    'text/plain',
    'application/json;charset=utf-7',
    'application/json; charset=utf-8; charset=utf-16',
    'application/json; charset',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    'application/ld+json',
    '',
  ])('%s is 415', async (type) => {
    expect(await errorOf(await post('{}', { 'Content-Type': type }))).toEqual([415, 'unsupported_media_type'])
  })

  test('no type at all is 415', async () => {
    const answer = await node.raw(
      'POST /v1/post HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}',
    )
    expect(statusOfRaw(answer)).toBe(415)
  })

  test('a compressed body is 415, identity is taken', async () => {
    for (const encoding of ['gzip', 'br', 'deflate', 'identity, gzip', 'GZIP'])
      expect((await post('{}', { 'Content-Encoding': encoding })).status).toBe(415)
    expect((await post('{}', { 'Content-Encoding': 'identity' })).status).toBe(200)
  })
})

describe('the content of a body', () => {
  test.each([
    ['{"a":1', 'not JSON'],
    ['{"a":1,"a":2}', 'a key twice'],
    ['\ufeff{}', 'a byte order mark'],
    ['{"a":"\\u0000"}', 'NUL'],
    ['{"a":"\\ud800"}', 'a lone surrogate'],
    ['['.repeat(100) + ']'.repeat(100), 'nested too deeply'],
  ])('%s is 400 bad_request: %s', async (body) => {
    expect(await errorOf(await post(body))).toEqual([400, 'bad_request'])
  })

  test('bytes that are not UTF-8 are 400', async () => {
    expect(await errorOf(await post(Buffer.from([0x22, 0xff, 0x22])))).toEqual([400, 'bad_request'])
    expect(await errorOf(await post(Buffer.from('{}', 'utf16le')))).toEqual([400, 'bad_request'])
  })

  test('no body is 400 where one is needed and an empty object where it is optional', async () => {
    expect(await errorOf(await post(undefined))).toEqual([400, 'bad_request'])
    const optional = await node.call('/v1/report', { method: 'POST' })
    expect(optional.status).toBe(201)
    expect(await optional.json()).toEqual({ seen: { by: null } })
  })

  test('keys such as __proto__ never reach a handler', async () => {
    const answer = await node.call('/v1/report', {
      method: 'POST',
      body: '{"__proto__":{"text":"x"},"constructor":{"prototype":{"text":"x"}}}',
      headers: { 'Content-Type': 'application/json' },
    })
    expect(await answer.json()).toEqual({ seen: { by: null } })
    expect(({} as Record<string, unknown>).text).toBeUndefined()
  })
})
