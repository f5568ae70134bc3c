import { expect, test } from 'vitest'
import {
  clientOf,
  failureOf,
  refusal,
  type ScriptedAnswer,
  scriptedService,
} from '../tests/support/scripted-service.ts'

const page = (ids: readonly number[], next_cursor: string, has_more = false): ScriptedAnswer => ({
  body: {
    events: ids.map((id) => ({ id: `evt_${id}`, created_at: `2030-01-01T00:00:0${id}.000Z` })),
    next_cursor,
    has_more,
    unread_count: 0,
  },
})

test('the inbox is read page after page from a cursor, oldest first', async () => {
  const service = await scriptedService(page([1, 2], 'c2', true), page([3], 'c3'))
  const ids: string[] = []
  for await (const event of clientOf(service).events.iterate({ after: 'c0', limit: 2 })) ids.push(event.id)
  expect(ids).toEqual(['evt_1', 'evt_2', 'evt_3'])
  expect(service.seen.map(({ path }) => path.split('?')[1])).toEqual(['limit=2&after=c0', 'limit=2&after=c2'])
})

test('without a cursor the newest page comes first, and with pollMs what comes later follows', async () => {
  const service = await scriptedService(page([2, 1], 'c2', true), page([], 'c2'), page([3], 'c3'))
  const client = clientOf(service)
  const ids: string[] = []
  for await (const event of client.events.iterate({ pollMs: 5_000 })) {
    ids.push(event.id)
    if (ids.length === 3) break
  }
  expect(ids).toEqual(['evt_1', 'evt_2', 'evt_3'])
  expect(client.waits).toEqual([5_000, 5_000])
  expect(service.seen.map(({ path }) => path.split('?')[1])).toEqual([
    'limit=100',
    'limit=100&after=c2',
    'limit=100&after=c2',
  ])
})

test('polling goes on behind the last event after the service was away', async () => {
  const away = refusal(503, 'service_unavailable')
  const service = await scriptedService(page([1], 'c1'), 'drop', away, page([2], 'c2'))
  const ids: string[] = []
  for await (const event of clientOf(service, { attempts: 1 }).events.iterate({ after: 'c0', pollMs: 5_000 })) {
    ids.push(event.id)
    if (ids.length === 2) break
  }
  expect(ids).toEqual(['evt_1', 'evt_2'])
  expect(service.seen[3]?.path).toContain('after=c1')
})

test('polling ends with what waiting cannot mend, and where the service was never there', async () => {
  const polled = async (...script: readonly ScriptedAnswer[]) => {
    const { events } = clientOf(await scriptedService(...script), { attempts: 1 })
    const reading = async () => {
      for await (const _ of events.iterate({ pollMs: 5_000 }));
    }
    return failureOf(reading())
  }
  expect(await polled(page([1], 'c1'), refusal(403, 'forbidden'))).toMatchObject({ code: 'forbidden' })
  expect(await polled(refusal(503, 'service_unavailable'))).toMatchObject({ code: 'service_unavailable' })
})

test('without a cursor, too, events come in the order of the inbox, also those of one moment', async () => {
  const at = '2030-01-01T00:00:00.000Z'
  const events = ['evt_1', 'evt_3', 'evt_2'].map((id) => ({ id, created_at: at }))
  const service = await scriptedService({ body: { events, next_cursor: 'c3', has_more: false, unread_count: 3 } })
  const ids: string[] = []
  for await (const event of clientOf(service).events.iterate()) ids.push(event.id)
  expect(ids).toEqual(['evt_2', 'evt_3', 'evt_1'])
})

test('events are marked as read in the agent’s own inbox', async () => {
  const service = await scriptedService({ body: { ok: true, marked: 1, unread_count: 0 } })
  const { events, agentId } = clientOf(service)
  await events.markRead({ ids: ['evt_1'] })
  expect(service.seen[0]).toMatchObject({ path: `/v1/agents/${agentId}/events/read`, body: '{"ids":["evt_1"]}' })
})
