import { expect, test } from 'vitest'
import { NOW, sampleId } from '../../tests/support/samples.ts'
import { addAgent, gate, storeBench } from '../../tests/support/store.ts'
import type { NewEvent } from '../domain/inbox/event.ts'
import type { InboxQuery } from '../ports/inbox-store.ts'
import type { Store } from '../ports/store.ts'

const bench = storeBench()
const newId = () => sampleId('evt')
const newest: Omit<InboxQuery, 'agentId'> = { after: null, type: null, unreadOnly: false, limit: 100 }

const event = (agentId: string, refId = 'task_1', type: NewEvent['type'] = 'task.claimed'): NewEvent => ({
  agentId,
  type,
  refKind: 'task',
  refId,
  actorId: null,
  payload: { text: 'with "quotes", {braces} and \\', list: [1] },
})

const newInbox = async () => (await bench.store.transaction((tx) => addAgent(tx))).id
const tell = (events: readonly NewEvent[], store: Store = bench.store) =>
  store.transaction((tx) => tx.addEvents(events, NOW, newId))
const positions = async (agentId: string) =>
  (await bench.store.inbox({ ...newest, agentId, after: 0 })).events.map(({ position }) => position)

test('events are read back as they were written, newest first or from a position on', async () => {
  const [agentId, other] = [await newInbox(), await newInbox()]
  await tell([event(agentId, 'task_1'), event(other), event(agentId, 'task_2'), event(agentId, 'task_3')])
  const page = await bench.store.inbox({ ...newest, agentId, limit: 2 })
  expect(page).toMatchObject({ hasMore: true, lastPosition: 3, unread: 3 })
  expect(page.events.map(({ refId, position }) => [refId, position])).toEqual([
    ['task_3', 3],
    ['task_2', 2],
  ])
  const later = await bench.store.inbox({ ...newest, agentId, after: 1 })
  expect(later.hasMore).toBe(false)
  const [first] = later.events
  expect(later.events.map(({ refId }) => refId)).toEqual(['task_2', 'task_3'])
  expect(first).toEqual({ ...event(agentId, 'task_2'), id: first?.id, position: 2, createdAt: NOW, readAt: null })
})

test('an empty inbox and an unknown one have no events', async () => {
  const nothing = { events: [], hasMore: false, lastPosition: 0, unread: 0 }
  expect(await bench.store.inbox({ ...newest, agentId: await newInbox() })).toEqual(nothing)
  expect(await bench.store.inbox({ ...newest, agentId: 'ag_nobody' })).toEqual(nothing)
})

test('an event for an agent without an inbox is dropped, and nobody else misses anything', async () => {
  const agentId = await newInbox()
  await tell([event('0xwallet'), event(agentId), event('own_person')])
  expect(await positions(agentId)).toEqual([1])
})

test('events can be asked for by type and by being unread', async () => {
  const agentId = await newInbox()
  await tell([event(agentId), event(agentId, 'task_2', 'task.disputed'), event(agentId, 'task_3', 'task.disputed')])
  const marked = bench.store.transaction((tx) => tx.markEventsRead(agentId, { upTo: 2 }, NOW + 1))
  expect(await marked).toBe(2)
  const ask = async (query: Partial<InboxQuery>) =>
    (await bench.store.inbox({ ...newest, agentId, ...query })).events.map(({ position }) => position)
  expect(await ask({ type: 'task.disputed' })).toEqual([3, 2])
  expect(await ask({ type: 'task.disputed', after: 2 })).toEqual([3])
  expect(await ask({ unreadOnly: true })).toEqual([3])
  expect(await ask({ type: 'task.claimed', unreadOnly: true, after: 0 })).toEqual([])
})

test('an event is marked as read once, and only in its own inbox', async () => {
  const [agentId, other] = [await newInbox(), await newInbox()]
  await tell([event(agentId), event(agentId), event(agentId), event(other)])
  const ids = (await bench.store.inbox({ ...newest, agentId })).events.map(({ id }) => id)
  const foreign = (await bench.store.inbox({ ...newest, agentId: other })).events.map(({ id }) => id)
  const mark = (which: { ids: string[] } | { upTo: number }, store = bench.store) =>
    store.transaction((tx) => tx.markEventsRead(agentId, which, NOW + 1))
  expect(await mark({ ids: [...ids.slice(0, 1), ...foreign, 'evt_nothing'] })).toBe(1)
  const counts = await Promise.all([mark({ upTo: 3 }), mark({ upTo: 3 }, bench.other), mark({ ids })])
  expect(counts.reduce((sum, count) => sum + count)).toBe(2)
  expect((await bench.store.inbox({ ...newest, agentId })).unread).toBe(0)
  expect((await bench.store.inbox({ ...newest, agentId: other })).unread).toBe(1)
})

test('events that many mark at once, by id or up to one, count once each', async () => {
  const agentId = await newInbox()
  await tell(Array.from({ length: 30 }, () => event(agentId)))
  const ids = (await bench.store.inbox({ ...newest, agentId })).events.map(({ id }) => id)
  const marks = Array.from({ length: 20 }, (_, nr) => {
    const which = nr % 5 === 0 ? { upTo: nr } : { ids: ids.slice(nr) }
    const { store, other } = bench
    return (nr % 2 === 0 ? store : other).transaction((tx) => tx.markEventsRead(agentId, which, NOW + 1))
  })
  const marked = (await Promise.all(marks)).reduce((sum, count) => sum + count)
  const left = await bench.store.inbox({ ...newest, agentId, unreadOnly: true })
  expect([marked, left.unread, left.events.length]).toEqual([29, 1, 1])
})

test('a cursor never skips an event that commits late', async () => {
  const agentId = await newInbox()
  const written = gate()
  const mayCommit = gate()
  const late = bench.store.transaction(async (tx) => {
    await tx.addEvents([event(agentId, 'late')], NOW, newId)
    await tx.inbox({ ...newest, agentId })
    written.open()
    await mayCommit.opened
  })
  await written.opened
  const quick = tell([event(agentId, 'quick')], bench.other)
  const seenBefore = await bench.store.inbox({ ...newest, agentId, after: 0 })
  expect(seenBefore).toMatchObject({ events: [], lastPosition: 0 })
  mayCommit.open()
  await Promise.all([late, quick])
  const seen = await bench.store.inbox({ ...newest, agentId, after: seenBefore.lastPosition })
  expect(seen.events.map(({ refId, position }) => [refId, position])).toEqual([
    ['late', 1],
    ['quick', 2],
  ])
})

test('positions have no gaps when many tell many in any order, and a rolled back event takes none', async () => {
  const inboxes = await Promise.all(Array.from({ length: 5 }, newInbox))
  const turned = (by: number) => [...inboxes.slice(by), ...inboxes.slice(0, by)].map((id) => event(id))
  const tellAll = Array.from({ length: 40 }, (_, index) =>
    tell(index % 2 ? turned(index % 5) : turned(index % 5).reverse(), index % 4 < 2 ? bench.store : bench.other),
  )
  const failing = Array.from({ length: 5 }, () =>
    bench.other.transaction(async (tx) => {
      await tx.addEvents(turned(0), NOW, newId)
      throw new Error('no')
    }),
  )
  await Promise.allSettled(failing)
  await Promise.all(tellAll)
  const expected = Array.from({ length: 40 }, (_, index) => index + 1)
  for (const agentId of inboxes) expect(await positions(agentId)).toEqual(expected)
})
