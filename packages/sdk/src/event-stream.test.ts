import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { clientOf, failureOf, NOW } from '../tests/support/scripted-service.ts'
import { isGuildhallError } from './guildhall-error.ts'

type Step = (response: ServerResponse) => void

/** A server that answers each connection by the next step; it keeps what was asked for. */
async function streamingService(...steps: readonly Step[]) {
  const asked: { readonly url: string; readonly signature: string | undefined }[] = []
  const server = createServer((request, response) => {
    asked.push({ url: request.url ?? '', signature: request.headers.authorization })
    const step = steps[asked.length - 1] ?? steps.at(-1)
    step?.(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    return new Promise<void>((resolve) => server.close(() => resolve()))
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

const event = (position: number) =>
  `id: ${position}\nevent: task.claimed\ndata: ${JSON.stringify({ id: `evt_${position}`, type: 'task.claimed' })}\n\n`

const stream =
  (text: string, then: 'stay' | 'end' | 'break' = 'stay'): Step =>
  (response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' })
    response.write(text, () => {
      if (then === 'end') response.end()
      if (then === 'break') setTimeout(() => response.destroy(), 20)
    })
  }

const refuse =
  (status: number, error: string, more: object = {}, headers: Record<string, string> = {}): Step =>
  (response) =>
    void response
      .writeHead(status, { 'Content-Type': 'application/json', ...headers })
      .end(JSON.stringify({ error, ...more }))

async function take(iterator: AsyncGenerator<{ id: string; cursor: string }>, count: number) {
  const seen: string[] = []
  for await (const { id, cursor } of iterator) {
    seen.push(`${id}@${cursor}`)
    if (seen.length === count) break
  }
  return seen
}

test('a broken or ended stream goes on behind the last event, with a fresh signature', async () => {
  const service = await streamingService(
    stream(`id: 4\n\n${event(5)}`, 'break'),
    stream(event(6), 'end'),
    stream(event(7) + event(8)),
  )
  const client = clientOf(service)
  expect(await take(client.events.stream({ type: 'task.claimed' }), 4)).toEqual([
    'evt_5@5',
    'evt_6@6',
    'evt_7@7',
    'evt_8@8',
  ])
  expect(service.asked.map(({ url }) => url.split('?')[1])).toEqual([
    'type=task.claimed',
    'type=task.claimed&after=5',
    'type=task.claimed&after=6',
  ])
  expect(new Set(service.asked.map(({ signature }) => signature)).size).toBe(3)
})

test('where nothing has happened yet it goes on from where it began', async () => {
  const service = await streamingService(stream('id: 4\n\n', 'break'), stream(event(5)))
  expect(await take(clientOf(service).events.stream(), 1)).toEqual(['evt_5@5'])
  expect(service.asked[1]?.url).toContain('after=4')
})

test('a service that is busy is asked again when it says so', async () => {
  const service = await streamingService(
    refuse(503, 'service_unavailable', {}, { 'Retry-After': '3' }),
    refuse(429, 'rate_limited', {}, { 'Retry-After': '30' }),
    stream(event(1)),
  )
  const client = clientOf(service)
  await take(client.events.stream(), 1)
  expect(client.waits).toEqual([3_150, 31_500])
})

test('a wrong local clock is corrected', async () => {
  const serverTime = NOW / 1000 + 600
  const service = await streamingService(
    refuse(401, 'timestamp_out_of_range', { server_time: serverTime }),
    stream(event(1)),
  )
  expect(await take(clientOf(service).events.stream(), 1)).toEqual(['evt_1@1'])
})

test('an error that waiting cannot mend is thrown', async () => {
  const service = await streamingService(refuse(403, 'forbidden'))
  const failure = await failureOf(take(clientOf(service).events.stream(), 1))
  expect(isGuildhallError(failure, 'forbidden')).toBe(true)
  expect(service.asked).toHaveLength(1)
})

test('a service that was never there is given up', async () => {
  const service = await streamingService((response) => response.destroy())
  await failureOf(take(clientOf(service, { attempts: 3 }).events.stream(), 1))
  expect(service.asked).toHaveLength(3)
})

test('an aborted signal ends it', async () => {
  const service = await streamingService(stream(event(1)))
  const abort = new AbortController()
  const reading = clientOf(service).events.stream({}, { signal: abort.signal })
  expect((await reading.next()).value?.cursor).toBe('1')
  setTimeout(() => abort.abort(new Error('enough')), 20)
  await expect(reading.next()).rejects.toThrow('enough')
})

test('an aborted signal ends a wait for the next connection', async () => {
  const service = await streamingService(refuse(429, 'rate_limited', {}, { 'Retry-After': '3600' }))
  const abort = new AbortController()
  const reading = clientOf(service, { sleep: undefined }).events.stream({}, { signal: abort.signal })
  setTimeout(() => abort.abort(new Error('enough')), 50)
  await expect(reading.next()).rejects.toThrow('enough')
})

test('a service that takes the connection and does not answer is asked again after the time for one attempt', async () => {
  const service = await streamingService(() => {}, stream(event(1)))
  expect(await take(clientOf(service, { timeoutMs: 500 }).events.stream(), 1)).toEqual(['evt_1@1'])
  const silent = await streamingService(() => {})
  const failure = await failureOf(take(clientOf(silent, { timeoutMs: 500, attempts: 2 }).events.stream(), 1))
  expect(failure).toMatchObject({ name: 'TimeoutError' })
  expect(silent.asked).toHaveLength(2)
})

test('the endpoint cannot be called as if it ended', async () => {
  const service = await streamingService(stream(event(1)))
  const client = clientOf(service)
  await expect(client.call('streamEvents', { params: { id: client.agentId ?? '' } })).rejects.toThrow('events.stream')
})
