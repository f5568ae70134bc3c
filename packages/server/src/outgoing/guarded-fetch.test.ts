import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { OutgoingRequest } from '../ports/outgoing.ts'
import { createGuardedFetch } from './guarded-fetch.ts'

async function serve(answer: RequestListener): Promise<number> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    return new Promise<void>((resolve) => server.close(() => resolve()))
  })
  return (server.address() as AddressInfo).port
}

const get = (url: string, more: Partial<OutgoingRequest> = {}): OutgoingRequest => ({
  method: 'GET',
  url,
  timeoutMs: 30_000,
  maxBytes: 1_000,
  ...more,
})

const LOOPBACK = ['127.0.0.0/8', '::1/128']
const names: Readonly<Record<string, readonly string[]>> = {
  'agent.test': ['127.0.0.1'],
  'inside.test': ['10.0.0.7'],
  'half.test': ['93.184.216.34', '169.254.169.254'],
}
const resolve = async (name: string) => names[name] ?? []
const guarded = createGuardedFetch({ allowed: LOOPBACK, resolve })
const textOf = (body: Uint8Array) => Buffer.from(body).toString('utf8')

test('a call arrives as it was asked for, under the name that was asked for', async () => {
  const port = await serve(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { host, 'content-length': length, 'x-own': own } = request.headers
    response.end(JSON.stringify([request.method, request.url, host, length, own, Buffer.concat(chunks).toString()]))
  })
  const url = `http://agent.test:${port}/a/b?c=d`
  const answer = await guarded(get(url, { method: 'POST', body: 'hé', headers: { 'X-Own': 'yes' } }))
  if (answer.kind !== 'answer') throw new Error(answer.reason)
  expect(JSON.parse(textOf(answer.body))).toEqual(['POST', '/a/b?c=d', `agent.test:${port}`, '3', 'yes', 'hé'])
  expect([answer.status, answer.cut]).toEqual([200, false])
})

test.each([
  'http://169.254.169.254/latest/meta-data/',
  'http://127.1/',
  'http://0x7f.1/',
  'http://2130706433/',
  'http://017700000001/',
  'http://[::1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[fd00:ec2::254]/',
  'http://localhost/',
  'http://hook.localhost/',
  'http://LOCALHOST./',
  'http://10.0.0.1/',
  'http://①②⑦.⓪.⓪.①/',
])('%s is refused where nothing is allowed besides the public internet', async (url) => {
  const strict = createGuardedFetch({ allowed: [] })
  expect(await strict(get(url))).toEqual({ kind: 'refused', reason: 'The address is not on the public internet.' })
})

test.each([
  ['http://inside.test/', 'The address is not on the public internet.'],
  ['http://half.test/', 'The address is not on the public internet.'],
  ['ftp://agent.test/', 'The address is not an http or https address.'],
  ['file:///etc/passwd', 'The address is not an http or https address.'],
  ['http://user:word@agent.test/', 'The address carries a user name or password.'],
  ['http://8.8.8.8:25/', 'The port is kept for other services: use 80, 443 or one from 1024.'],
  ['nonsense', 'The address is not an http or https address.'],
])('%s is refused: %s', async (url, reason) => {
  expect(await guarded(get(url))).toEqual({ kind: 'refused', reason })
})

test('what was checked is what is connected to, whatever the name says a moment later', async () => {
  const port = await serve((_, response) => response.end('here'))
  let asked = 0
  const rebinding = async () => (++asked === 1 ? ['127.0.0.1'] : ['10.0.0.7'])
  const answer = await createGuardedFetch({ allowed: LOOPBACK, resolve: rebinding })(get(`http://turn.test:${port}/`))
  expect(answer).toMatchObject({ kind: 'answer', status: 200 })
  expect(asked).toBe(1)
})

test('a redirect is an answer like any other and is not followed', async () => {
  let calls = 0
  const port = await serve((_, response) => {
    calls++
    response.writeHead(302, { Location: 'http://169.254.169.254/' }).end()
  })
  expect(await guarded(get(`http://agent.test:${port}/`))).toMatchObject({ kind: 'answer', status: 302 })
  expect(calls).toBe(1)
})

test('more than was asked for is not read', async () => {
  const port = await serve((_, response) => {
    const more = setInterval(() => response.write('x'.repeat(500)), 1)
    response.on('close', () => clearInterval(more))
  })
  const answer = await guarded(get(`http://agent.test:${port}/`))
  if (answer.kind !== 'answer') throw new Error(answer.reason)
  expect([answer.body.length, answer.cut]).toEqual([1_000, true])
})

test.each([
  ['never answers', () => {}],
  ['answers by drops', (response: { write(text: string): unknown }) => void setInterval(() => response.write('x'), 20)],
])('an address that %s is given up when the time is over', async (_, behave) => {
  const port = await serve((_request, response) => behave(response))
  const startedAt = performance.now()
  const answer = await guarded(get(`http://agent.test:${port}/`, { timeoutMs: 200, maxBytes: 1_000_000 }))
  expect(answer).toEqual({ kind: 'unreachable', reason: 'The address did not answer in time.' })
  expect(performance.now() - startedAt).toBeLessThan(20_000)
})

test('an answer that switches to another protocol is none', async () => {
  const tcp = createTcpServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'),
    )
  })
  await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void tcp.close())
  const answer = await guarded(get(`http://127.0.0.1:${(tcp.address() as AddressInfo).port}/`))
  expect(answer).toEqual({ kind: 'unreachable', reason: 'The address could not be reached.' })
})

test('a name that is never found is given up when the time is over', async () => {
  const stuck = createGuardedFetch({ allowed: [], resolve: () => new Promise(() => {}) })
  expect(await stuck(get('http://never.test/', { timeoutMs: 100 }))).toMatchObject({ kind: 'unreachable' })
})

test('trouble is told in words that give nothing of the network away', async () => {
  const closed = await serve(() => {})
  const tcp = createTcpServer((socket) => socket.end('SSH-2.0-nothing\r\n'))
  await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void tcp.close())
  const port = (tcp.address() as AddressInfo).port
  expect(await guarded(get('http://nowhere.test/'))).toEqual({
    kind: 'unreachable',
    reason: 'The name nowhere.test has no address.',
  })
  expect(await guarded(get('http://127.0.0.1:1/'))).toEqual({
    kind: 'unreachable',
    reason: 'The address refused the connection.',
  })
  expect(await guarded(get(`http://127.0.0.1:${port}/`))).toEqual({
    kind: 'unreachable',
    reason: 'The answer is not HTTP.',
  })
  expect(await guarded(get(`https://127.0.0.1:${closed}/`))).toMatchObject({ kind: 'unreachable' })
})
