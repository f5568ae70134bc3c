import { expect, test } from 'vitest'
import { NOW, sampleId } from '../../tests/support/samples.ts'
import { addAgent, gate, storeBench } from '../../tests/support/store.ts'
import type { NewEvent } from '../domain/inbox/event.ts'
import type { InboxReader } from '../ports/inbox-store.ts'
import type { Store } from '../ports/store.ts'

const bench = storeBench()
const newInbox = async () => (await bench.store.transaction((tx) => addAgent(tx))).id
const event = (agentId: string, refId: string): NewEvent => ({
  agentId,
  type: 'task.claimed',
  refKind: 'task',
  refId,
  actorId: null,
  payload: {},
})
const tell = (events: readonly NewEvent[], store: Store = bench.store) =>
  store.transaction((tx) => tx.addEvents(events, NOW, () => sampleId('evt')))
const news = async (readers: readonly InboxReader[], limit = 20) =>
  (await bench.store.inboxNews(readers, limit)).map(({ reader, event: { refId, position } }) => [
    reader,
    refId,
    position,
  ])

test('one look finds what each reader has not seen, reader by reader, oldest first', async () => {
  const [one, two, quiet] = [await newInbox(), await newInbox(), await newInbox()]
  await tell([event(one, 'a'), event(two, 'b'), event(one, 'c')])
  const readers = [
    { agentId: quiet, after: 0 },
    { agentId: two, after: 0 },
    { agentId: one, after: 1 },
    { agentId: one, after: 0 },
    { agentId: two, after: 1 },
  ]
  expect(await news(readers)).toEqual([
    [1, 'b', 1],
    [2, 'c', 2],
    [3, 'a', 1],
    [3, 'c', 2],
  ])
})

test('no reader gets more than a page at once', async () => {
  const agentId = await newInbox()
  await tell(['a', 'b', 'c'].map((ref) => event(agentId, ref)))
  expect(await news([{ agentId, after: 0 }], 2)).toEqual([
    [0, 'a', 1],
    [0, 'b', 2],
  ])
})

test('an event that commits late is not skipped by a reader who looked meanwhile', async () => {
  const agentId = await newInbox()
  const written = gate()
  const commit = gate()
  const late = bench.store.transaction(async (tx) => {
    await tx.addEvents([event(agentId, 'late')], NOW, () => sampleId('evt'))
    await tx.inboxNews([{ agentId, after: 0 }], 1)
    written.open()
    await commit.opened
  })
  await written.opened
  const early = tell([event(agentId, 'after it')], bench.other)
  expect(await news([{ agentId, after: 0 }])).toEqual([])
  commit.open()
  await Promise.all([late, early])
  expect(await news([{ agentId, after: 0 }])).toEqual([
    [0, 'late', 1],
    [0, 'after it', 2],
  ])
})

test('without readers there is no news', async () => {
  expect(await news([])).toEqual([])
})

test('a look finds every inbox that moved since the one before it, once', async () => {
  const [one, two, quiet] = [await newInbox(), await newInbox(), await newInbox()]
  const begin = await bench.store.movedInboxes(null)
  expect(begin.agentIds).toEqual([])
  await tell([event(two, 'a'), event(one, 'b'), event(two, 'c')])
  const { agentIds } = await bench.store.movedInboxes(begin.next)
  expect(agentIds).toEqual(expect.arrayContaining([one, two]))
  expect(agentIds).not.toContain(quiet)
  expect(new Set(agentIds).size).toBe(agentIds.length)
})

test('an inbox that a late commit moves is found by the look after it', async () => {
  const agentId = await newInbox()
  const written = gate()
  const commit = gate()
  const begin = await bench.store.movedInboxes(null)
  const late = bench.store.transaction(async (tx) => {
    await tx.addEvents([event(agentId, 'late')], NOW, () => sampleId('evt'))
    written.open()
    await commit.opened
  })
  await written.opened
  const early = await newInbox()
  await tell([event(early, 'early')], bench.other)
  const meanwhile = await bench.store.movedInboxes(begin.next)
  expect(meanwhile.agentIds).toContain(early)
  expect(meanwhile.agentIds).not.toContain(agentId)
  commit.open()
  await late
  expect((await bench.store.movedInboxes(meanwhile.next)).agentIds).toContain(agentId)
})

test('numbers of another cluster, which a restored copy brings along, are not taken for news', async () => {
  const agentId = await newInbox()
  const begin = await bench.store.movedInboxes(null)
  await tell([event(agentId, 'restored')])
  await bench.sql.query("update inbox_events set written_in = '9000000000000' where agent_id = $1", [agentId])
  expect((await bench.store.movedInboxes(begin.next)).agentIds).not.toContain(agentId)
})
