import type { ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { createStoppedTimer } from '../../tests/support/stopped-timer.ts'
import { startTestNode, type TestNode } from '../../tests/support/test-node.ts'
import { until } from '../../tests/support/until.ts'
import { createDoors } from './doors/doors.ts'
import { PortTakenError } from './listen-on.ts'

/** A handler that waits until it is told to go on. */
function gate() {
  let open = () => {}
  let entered = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const reached = new Promise<void>((resolve) => {
    entered = resolve
  })
  const handler = async () => {
    entered()
    await opened
    return { body: { ok: true } } as const
  }
  return { handler, open, reached }
}

const portOf = (node: TestNode) => Number(new URL(node.url).port)
const refuses = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(false))
    socket.on('error', () => resolve(true))
    socket.on('connect', () => socket.destroy())
  })

describe('starting', () => {
  test('a taken port is named', async () => {
    const node = await startTestNode()
    const second = startTestNode({ server: { port: portOf(node) } })
    await expect(second).rejects.toThrow(PortTakenError)
    await expect(second).rejects.toThrow(String(portOf(node)))
    await node.stop(0)
  })

  test('an address that this machine does not have is named', async () => {
    const node = startTestNode({ server: { host: '203.0.113.1', port: 1 } })
    await expect(node).rejects.toThrow(/^Nothing can listen on 203\.0\.113\.1, port 1: .+\.$/)
  })

  test('the address says where it listens', async () => {
    const node = await startTestNode({ server: { host: '0.0.0.0' } })
    expect(node.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    await node.stop(0)
  })
})

describe('stopping', () => {
  test('health says no first, requests at work finish, and the port is closed', async () => {
    const { handler, open, reached } = gate()
    const node = await startTestNode({ handlers: { limited: handler }, server: { drainMs: 2_000 } })
    const working = node.call('/v1/limited', { method: 'POST' })
    await reached
    expect((await node.call('/v1/health')).status).toBe(200)
    const stopped = node.stop(5_000)
    const health = await node.call('/v1/health')
    expect([health.status, health.headers.get('retry-after'), health.headers.get('connection')]).toEqual([
      503,
      '1',
      'close',
    ])
    expect((await node.call('/v1/items/x')).status).toBe(200)
    while (!(await refuses(portOf(node)))) await new Promise((resolve) => setTimeout(resolve, 20))
    open()
    expect((await working).status).toBe(200)
    expect((await working).headers.get('connection')).toBe('close')
    await stopped
  })

  test('idle connections that are kept alive do not hold it up', async () => {
    const node = await startTestNode()
    await (await node.call('/v1/health')).text()
    const startedAt = performance.now()
    await node.stop(60_000)
    expect(performance.now() - startedAt).toBeLessThan(60_000)
  })

  test('what does not finish within the grace is cut', async () => {
    const { handler, reached, open } = gate()
    const node = await startTestNode({ handlers: { limited: handler } })
    const working = node.call('/v1/limited', { method: 'POST' }).catch(() => 'cut')
    await reached
    await node.stop(50)
    expect(await working).toBe('cut')
    open()
  })

  test('can be asked for twice', async () => {
    const node = await startTestNode()
    await Promise.all([node.stop(100), node.stop(100)])
    await expect(node.call('/v1/health')).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } })
  })
})

describe('overload', () => {
  test('what comes in excess waits in line and is then told to come back, and the node recovers', async () => {
    const { handler, open, reached } = gate()
    const timer = createStoppedTimer()
    const node = await startTestNode({ doors: createDoors(1, timer), timer, handlers: { limited: handler } })
    const working = node.call('/v1/limited', { method: 'POST' })
    await reached
    const excess = node.call('/v1/report', { method: 'POST' })
    while (timer.waiting() === 0) await new Promise((resolve) => setImmediate(resolve))
    timer.pass(3_000)
    const refused = await excess
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
    expect(await refused.json()).toMatchObject({ error: 'service_unavailable' })
    open()
    expect((await working).status).toBe(200)
    expect((await node.call('/v1/report', { method: 'POST' })).status).toBe(201)
    await node.stop(0)
  })

  test('a caller who floods the node keeps out no other', async () => {
    const { handler, open, reached } = gate()
    const timer = createStoppedTimer()
    const doors = createDoors(1, timer)
    const node = await startTestNode({ doors, timer, handlers: { limited: handler }, trustedProxies: ['127.0.0.1'] })
    const from = (ip: string, path: string) =>
      node.call(path, { method: 'POST', headers: { 'X-Forwarded-For': ip } }).then(({ status }) => status)
    const inLine = async (count: number) => {
      while (doors.counts().changes.inLine < count) await new Promise((resolve) => setImmediate(resolve))
    }
    const working = from('198.51.100.1', '/v1/limited')
    await reached
    timer.pass(3_000)
    const first = from('198.51.100.1', '/v1/report')
    await inLine(1)
    const second = from('198.51.100.1', '/v1/report')
    await inLine(2)
    expect(await from('198.51.100.1', '/v1/report')).toBe(503)
    const other = from('198.51.100.2', '/v1/report')
    expect(await second).toBe(503)
    open()
    expect([await working, await first, await other]).toEqual([200, 201, 201])
    await node.stop(0)
  })

  test('work of one kind keeps out no other, and health is always told', async () => {
    const { handler, open, reached } = gate()
    const node = await startTestNode({ doors: createDoors(1, createStoppedTimer()), handlers: { limited: handler } })
    const working = node.call('/v1/limited', { method: 'POST' })
    await reached
    expect((await node.call('/v1/items/x')).status).toBe(200)
    expect((await node.call('/v1/health')).status).toBe(200)
    open()
    expect((await working).status).toBe(200)
    await node.stop(0)
  })

  test('twice as many reads as changes are worked on at once', async () => {
    const { handler, open } = gate()
    const readItem = async () => ({ body: { seen: await handler() } })
    const doors = createDoors(1, createStoppedTimer())
    const node = await startTestNode({ doors, handlers: { readItem, limited: handler } })
    const reading = [1, 2, 3].map((item) => node.call(`/v1/items/${item}`))
    const changing = [1, 2].map(() => node.call('/v1/limited', { method: 'POST' }))
    await until(
      async () => doors.counts(),
      ({ reads, changes }) => reads.inLine + changes.inLine === 2,
    )
    expect(doors.counts()).toMatchObject({ reads: { atWork: 2, inLine: 1 }, changes: { atWork: 1, inLine: 1 } })
    open()
    for (const { status } of await Promise.all([...reading, ...changing])) expect(status).toBe(200)
    await node.stop(0)
  })

  test('a caller that is slow to send its body keeps nobody out', async () => {
    const node = await startTestNode({ doors: createDoors(1, createStoppedTimer()) })
    const slow = connect(portOf(node), '127.0.0.1')
    slow.write('POST /v1/post HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n1')
    await new Promise((resolve) => slow.once('connect', resolve))
    expect((await node.call('/v1/report', { method: 'POST' })).status).toBe(201)
    slow.destroy()
    await node.stop(0)
  })

  test('an open stream occupies no place', async () => {
    const readItem = async ({ params }: { readonly params: { readonly id: string } }) =>
      params.id === 'stream' ? { stream: (to: ServerResponse) => void to.write('on and on') } : { body: { seen: null } }
    const node = await startTestNode({ doors: createDoors(1, createStoppedTimer()), handlers: { readItem } })
    const streams = [await node.call('/v1/items/stream'), await node.call('/v1/items/stream')]
    expect(streams.map(({ status }) => status)).toEqual([200, 200])
    expect((await node.call('/v1/items/x')).status).toBe(200)
    await Promise.all(streams.map(({ body }) => body?.cancel()))
    await node.stop(0)
  })

  test('connections beyond the setting are dropped', async () => {
    const node = await startTestNode({ server: { maxConnections: 1 } })
    const first = connect(portOf(node), '127.0.0.1')
    await new Promise((resolve) => first.once('connect', resolve))
    expect(await node.raw('GET /v1/health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')).toBe('')
    first.destroy()
    await node.stop(0)
  })
})
