import { expect, test } from 'vitest'
import { newAgent, type Player } from './support/cast.ts'
import { refusalOf } from './support/refusals.ts'
import { sampleId } from './support/samples.ts'
import { setStage } from './support/stage.ts'
import { streamWatch } from './support/stream-watch.ts'
import { postFree } from './support/tasks.ts'
import { until } from './support/until.ts'

const stage = setStage()

/** How long a node that stops waits for requests that do not end. */
const GRACE_MS = 10_000

/** Puts events into an inbox, as any change does. */
const tell = ({ id: agentId }: Pick<Player, 'id'>, count: number) =>
  stage.node().service.world.store.transaction((tx) =>
    tx.addEvents(
      Array.from({ length: count }, () => ({
        agentId,
        type: 'status.changed' as const,
        refKind: 'agent' as const,
        refId: agentId,
        actorId: null,
        payload: {},
      })),
      stage.now(),
      () => sampleId('evt'),
    ),
  )

/** Keeps the cursors that a stream gives, until it is told to stop. */
function follow(client: Player['client'], query: { after?: string; type?: string } = {}) {
  const abort = new AbortController()
  const cursors: number[] = []
  const reading = (async () => {
    for await (const { cursor } of client.events.stream(query, { signal: abort.signal })) cursors.push(Number(cursor))
  })().catch((error: unknown) => {
    if (!abort.signal.aborted) throw error
  })
  return {
    cursors,
    async stop() {
      abort.abort()
      await reading
    },
  }
}

const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1)
const has = (cursors: readonly number[], last: number) =>
  until(
    async () => cursors,
    (seen) => seen.at(-1) === last,
  )

test('the stream shows an event as it happens, just as the inbox does, under the same cursor', async () => {
  const [creator, worker] = [await newAgent(stage), await newAgent(stage)]
  const taskId = await postFree(creator)
  const watch = streamWatch()
  const reading = creator.with({ fetch: watch.fetch }).events.stream()
  const next = reading.next()
  await watch.opened()
  await worker.client.tasks.claim(taskId)
  const { value } = await next
  await reading.return()
  const { events, next_cursor } = await creator.client.events.list()
  expect(value).toEqual({ ...events[0], cursor: next_cursor })
  expect(value).toMatchObject({ type: 'task.claimed', ref_id: taskId, actor_id: worker.id })
})

test('without a cursor it starts now; with one, behind it', async () => {
  const agent = await newAgent(stage)
  await tell(agent, 3)
  const watch = streamWatch()
  const fresh = follow(agent.with({ fetch: watch.fetch }))
  await watch.opened()
  const resumed = follow(agent.client, { after: '1' })
  await has(resumed.cursors, 3)
  await tell(agent, 1)
  await Promise.all([has(fresh.cursors, 4), has(resumed.cursors, 4)])
  expect([fresh.cursors, resumed.cursors]).toEqual([[4], [2, 3, 4]])
  await Promise.all([fresh.stop(), resumed.stop()])
})

test('Last-Event-ID resumes as after does, and is the newer of the two; a malformed one of either is refused', async () => {
  const agent = await newAgent(stage)
  await tell(agent, 5)
  const reading = (after: string, resumed: Record<string, string>) => {
    const patched: typeof fetch = (input, init) =>
      fetch(input, { ...init, headers: { ...(init?.headers as Record<string, string>), ...resumed } })
    return agent.with({ fetch: patched }).events.stream({ after })
  }
  const first = async (resumed: Record<string, string>) => {
    const events = reading('0', resumed)
    const { value } = await events.next()
    await events.return()
    return value?.cursor
  }
  expect([await first({}), await first({ 'Last-Event-ID': '3' })]).toEqual(['1', '4'])
  for (const cursor of ['x', '-1', '01', '1e3', ''])
    for (const [after, resumed] of [
      [cursor, {}],
      [cursor, { 'Last-Event-ID': '3' }],
      ['0', { 'Last-Event-ID': cursor }],
    ] as const)
      await refusalOf(reading(after, resumed).next(), 'invalid_cursor')
})

test('a stream is for the agent itself', async () => {
  const [one, two] = [await newAgent(stage), await newAgent(stage)]
  const path = `${stage.node().url}/v1/agents/${one.id}/events/stream`
  expect((await fetch(path)).status).toBe(401)
  const misled: typeof fetch = (input, init) => fetch(String(input).replace(two.id, one.id), init)
  await refusalOf(two.with({ fetch: misled }).events.stream().next(), 'invalid_signature')
})

test('connections that drop at any moment lose nothing and repeat nothing', async () => {
  const agent = await newAgent(stage)
  const open = new Set<AbortController>()
  const fragile: typeof fetch = (input, init) => {
    const cut = new AbortController()
    open.add(cut)
    const signal = init?.signal ? AbortSignal.any([init.signal, cut.signal]) : cut.signal
    return fetch(input, { ...init, signal })
  }
  const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms / 20))
  const client = agent.with({ fetch: fragile, sleep, attempts: 1_000 })
  const following = follow(client, { after: '0' })
  for (let round = 0; round < 25; round++) {
    await tell(agent, 1 + (round % 40))
    await new Promise((resolve) => setTimeout(resolve, (round * 37) % 90))
    for (const cut of open) cut.abort()
    open.clear()
  }
  const { next_cursor } = await agent.client.events.list()
  await has(following.cursors, Number(next_cursor))
  expect(following.cursors).toEqual(upTo(Number(next_cursor)))
  await following.stop()
})

test('a restart of the node loses nothing and repeats nothing, and does not wait for streams', async () => {
  let node = await stage.startNode()
  const agent = await newAgent(stage)
  const toNode: typeof fetch = (input, init) => fetch(String(input).replace(stage.node().url, node.url), init)
  const following = follow(agent.with({ fetch: toNode }), { after: '0' })
  await tell(agent, 10)
  await has(following.cursors, 10)
  const startedAt = performance.now()
  await stage.stopNode(node)
  expect(performance.now() - startedAt).toBeLessThan(GRACE_MS)
  await tell(agent, 10)
  node = await stage.startNode()
  await tell(agent, 10)
  await has(following.cursors, 30)
  expect(following.cursors).toEqual(upTo(30))
  await following.stop()
  await stage.stopNode(node)
})

test('a hundred streams at once hear of a task within a second of its being posted', async () => {
  const watch = streamWatch()
  const watchers: Player[] = []
  for (let batch = 0; batch < 10; batch++) {
    const joining = Array.from({ length: 10 }, () => newAgent(stage, { capabilities: ['watching'] }))
    watchers.push(...(await Promise.all(joining)))
  }
  const streams = watchers.map((watcher) => watcher.with({ fetch: watch.fetch }).events.stream())
  const poster = await newAgent(stage)
  /** How long it takes until all have heard of the next task. */
  const heardAfterMs = async () => {
    const heard = Promise.all(streams.map(async (stream) => (await stream.next()).value?.ref_id))
    await watch.opened(watchers.length)
    const taskId = await postFree(poster, { required_capabilities: ['watching'] })
    const postedAt = performance.now()
    expect(new Set(await heard)).toEqual(new Set([taskId]))
    return performance.now() - postedAt
  }
  // A machine that is busy with something else may be late now and then.
  await until(heardAfterMs, (ms) => ms < 1_000)
  await Promise.all(streams.map((stream) => stream.return()))
})

test('a sixth stream of one agent is told to wait', async () => {
  const agent = await newAgent(stage)
  const five = Array.from({ length: 5 }, () => follow(agent.client, { after: '0' }))
  await tell(agent, 1)
  await Promise.all(five.map(({ cursors }) => has(cursors, 1)))
  const impatient = agent.with({ attempts: 1 })
  const refused = await refusalOf(impatient.events.stream().next(), 'rate_limited')
  expect(refused.retryAfterSeconds).toBe(30)
  await Promise.all(five.map((stream) => stream.stop()))
})
