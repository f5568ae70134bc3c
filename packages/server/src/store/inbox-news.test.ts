import { expect, test } from 'vitest'
import { NOW, sampleId } from '../../tests/support/samples.ts'
import { addAgent, gate, storeBench } from '../../tests/support/store.ts'
import type { NewEvent } from '../domain/inbox/event.ts'
import type { InboxReader, Store } from '../ports/store.ts'

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

test('nobody gets more at once than a page', async () => {
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

test('nobody listening costs nothing but the question', async () => {
  expect(await news([])).toEqual([])
})
