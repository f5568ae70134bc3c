import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { NOW, sampleId } from '../../../tests/support/samples.ts'
import { addAgent, silentLog, storeBench } from '../../../tests/support/store.ts'
import { until } from '../../../tests/support/until.ts'
import type { NewEvent } from '../../domain/inbox/event.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { World } from '../../ports/world.ts'
import { createEventStreams, type StreamSettings } from './event-streams.ts'

const bench = storeBench()
const newInbox = async () => (await bench.store.transaction((tx) => addAgent(tx))).id

const event = (agentId: string, type: NewEvent['type'] = 'task.claimed', text = ''): NewEvent => ({
  agentId,
  type,
  refKind: 'task',
  refId: 'task_1',
  actorId: null,
  payload: { text },
})
const tell = (...events: readonly NewEvent[]) =>
  bench.store.transaction((tx) => tx.addEvents(events, NOW, () => sampleId('evt')))

/** A server all of whose paths are streams: `/<agent id>?<after>&<type>`. */
async function serveStreams(settings: Partial<StreamSettings> = {}, store = bench.store) {
  const world = { store, log: silentLog, clock: { now: () => NOW } } as unknown as World
  const streams = createEventStreams(world, { maxStreams: 100, pollMs: 20, ...settings })
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://x')
    const after = Number(searchParams.get('after') ?? 0)
    try {
      const stream = streams.open({ agentId: pathname.slice(1), after, type: searchParams.get('type') })
      response.writeHead(200, { Connection: 'close' })
      stream(response)
    } catch (error) {
      response.writeHead(503).end(error instanceof Refusal ? error.code : String(error))
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    streams.close()
    server.closeAllConnections()
    return new Promise<void>((resolve) => server.close(() => resolve()))
  })
  return { streams, port: (server.address() as AddressInfo).port }
}

/** Reads a stream to its end, or until the test is over. */
async function listen(port: number, path: string) {
  const abort = new AbortController()
  onTestFinished(() => abort.abort())
  const response = await fetch(`http://127.0.0.1:${port}/${path}`, { signal: abort.signal })
  const heard = { text: '', ended: false, status: response.status }
  const decoder = new TextDecoder()
  const reading = async () => {
    for await (const chunk of response.body ?? []) heard.text += decoder.decode(chunk, { stream: true })
  }
  reading().then(
    () => {
      heard.ended = true
    },
    () => {
      heard.ended = true
    },
  )
  return {
    ...heard,
    get text() {
      return heard.text
    },
    get ended() {
      return heard.ended
    },
    get ids() {
      return [...heard.text.matchAll(/^id: (\d+)\nevent:/gm)].map(([, id]) => Number(id))
    },
    stop: () => abort.abort(),
  }
}

test('a stream begins with its position and goes on with new events', async () => {
  const { port } = await serveStreams()
  const agentId = await newInbox()
  await tell(event(agentId), event(agentId))
  const stream = await listen(port, `${agentId}?after=1`)
  await until(
    async () => stream.ids,
    (ids) => ids.length === 1,
  )
  await tell(event(agentId, 'task.disputed', 'with\nlines\r\n'))
  await until(
    async () => stream.ids,
    (ids) => ids.length === 2,
  )
  expect(stream.text).toMatch(
    /^retry: 1000\nid: 1\n\nid: 2\nevent: task\.claimed\ndata: \{.*\}\n\nid: 3\nevent: task\.disputed\ndata: \{.*\}\n\n$/,
  )
})

test('a stream of one type passes over the others and does not stop at them', async () => {
  const { port } = await serveStreams()
  const agentId = await newInbox()
  await tell(...Array.from({ length: 45 }, () => event(agentId)), event(agentId, 'task.disputed'))
  const stream = await listen(port, `${agentId}?type=task.disputed`)
  await until(
    async () => stream.ids,
    (ids) => ids.length > 0,
  )
  expect(stream.ids).toEqual([46])
})

test('streams of one inbox at different places each get what they lack', async () => {
  const { port } = await serveStreams()
  const agentId = await newInbox()
  await tell(...Array.from({ length: 50 }, () => event(agentId)))
  const streams = await Promise.all([0, 25, 49].map((after) => listen(port, `${agentId}?after=${after}`)))
  await until(
    async () => streams.map(({ ids }) => ids.at(-1)),
    (last) => last.every((id) => id === 50),
  )
  expect(streams.map(({ ids }) => ids.length)).toEqual([50, 25, 1])
})

test('more streams than one query serves are served in parts, each with every event once', async () => {
  const { port } = await serveStreams({ atOnce: 2 })
  const inboxes = await Promise.all(Array.from({ length: 7 }, newInbox))
  const streams = await Promise.all(inboxes.map((agentId) => listen(port, agentId)))
  for (let round = 0; round < 3; round++) await tell(...inboxes.map((agentId) => event(agentId)))
  for (const stream of streams) {
    await until(
      async () => stream.ids,
      (ids) => ids.length >= 3,
    )
    expect(stream.ids).toEqual([1, 2, 3])
  }
})

test('a long transaction elsewhere does not make the store read the same events again and again', async () => {
  const pollMs = 100
  const looks: number[] = []
  const movedInboxes: typeof bench.store.movedInboxes = (since) => {
    looks.push(performance.now())
    return bench.store.movedInboxes(since)
  }
  const { port } = await serveStreams({ pollMs, atOnce: 2 }, { ...bench.store, movedInboxes })
  const inboxes = await Promise.all(Array.from({ length: 3 }, newInbox))
  const streams = await Promise.all(inboxes.map((agentId) => listen(port, agentId)))
  await bench.sql.query('begin')
  onTestFinished(async () => void (await bench.sql.query('rollback')))
  await bench.sql.query('select pg_current_xact_id()')
  await tell(...inboxes.map((agentId) => event(agentId)))
  const told = async () => streams.every(({ ids }) => ids.length === 1)
  await until(told, (all) => all)
  // The next may follow at once.
  const from = looks.length + 1
  await until(
    async () => looks.length,
    (count) => count > from + 3,
  )
  expect((looks[from + 3] ?? 0) - (looks[from] ?? 0)).toBeGreaterThan(3 * pollMs * 0.9)
})

test('an agent has at most five streams, a node at most as many as it is set to', async () => {
  const { port } = await serveStreams({ maxStreams: 6 })
  const [one, two] = [await newInbox(), await newInbox()]
  const five = await Promise.all(Array.from({ length: 5 }, () => listen(port, one)))
  expect(five.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  const sixth = await listen(port, one)
  await until(
    async () => sixth.text,
    (text) => text === 'rate_limited',
  )
  expect((await listen(port, two)).status).toBe(200)
  const seventh = await listen(port, await newInbox())
  await until(
    async () => seventh.text,
    (text) => text === 'service_unavailable',
  )
  five[0]?.stop()
  await until(
    async () => (await listen(port, one)).status,
    (status) => status === 200,
  )
})

test('a heartbeat is sent now and then while nothing happens', async () => {
  const { port } = await serveStreams({ heartbeatMs: 30 })
  const stream = await listen(port, await newInbox())
  await until(
    async () => stream.text,
    (text) => text.endsWith(':\n\n:\n\n'),
  )
})

test('a stream ends when its time is over', async () => {
  const { port } = await serveStreams({ heartbeatMs: 20, lifeMs: 50 })
  const stream = await listen(port, await newInbox())
  await until(
    async () => stream.ended,
    (ended) => ended,
  )
})

test('closing ends every stream and lets no more in', async () => {
  const { port, streams } = await serveStreams()
  const agentId = await newInbox()
  const stream = await listen(port, agentId)
  streams.close()
  await until(
    async () => stream.ended,
    (ended) => ended,
  )
  expect((await listen(port, agentId)).status).toBe(503)
})

test('a reader that takes nothing is cut off, and delays no other', async () => {
  const { port, streams } = await serveStreams({ heartbeatMs: 50, stuckMs: 100 })
  const [slow, quick] = [await newInbox(), await newInbox()]
  const deaf = connect(port, '127.0.0.1')
  let cut = false
  deaf.on('close', () => {
    cut = true
  })
  deaf.on('error', () => {})
  deaf.pause()
  deaf.write(`GET /${slow} HTTP/1.1\r\nHost: x\r\n\r\n`)
  const stream = await listen(port, quick)
  const long = 'x'.repeat(50_000)
  for (let batch = 0; batch < 6; batch++)
    await tell(...Array.from({ length: 40 }, () => event(slow, 'task.claimed', long)))
  await tell(event(quick))
  await until(
    async () => stream.ids,
    (ids) => ids.length === 1,
  )
  await until(
    async () => streams.count(),
    (count) => count === 1,
  )
  deaf.resume()
  await until(
    async () => cut,
    (gone) => gone,
  )
})

test('trouble with the store makes events late; no stream is closed and nothing is lost', async () => {
  const { port } = await serveStreams()
  const agentId = await newInbox()
  const stream = await listen(port, agentId)
  for (let round = 1; round <= 5; round++) {
    await bench.sql.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'guildhall' and datname = current_database()",
    )
    await until(
      () =>
        tell(event(agentId)).then(
          () => true,
          () => false,
        ),
      (told) => told,
    )
    await until(
      async () => stream.ids.length,
      (count) => count === round,
    )
  }
  expect(stream.ids).toEqual([1, 2, 3, 4, 5])
})
