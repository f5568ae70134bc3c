import { expect, test } from 'vitest'
import { clientOf, type ScriptedService, type SeenRequest, scriptedService } from '../tests/support/scripted-service.ts'

const page = (...ids: readonly string[]) => ({ body: { ok: true, tasks: ids.map((task_id) => ({ task_id })) } })

/** A service that lists these tasks as they stand when it is asked. */
const board = (ids: readonly string[]) =>
  scriptedService(
    ...Array(20).fill(({ path }: SeenRequest) => {
      const query = new URL(path, 'http://service').searchParams
      const [limit, offset] = [Number(query.get('limit')), Number(query.get('offset'))]
      return page(...ids.slice(offset, offset + limit))
    }),
  )

const listed = async (service: ScriptedService, limit: number, whenSeen: (id: string) => void = () => {}) => {
  const ids: string[] = []
  for await (const { task_id } of clientOf(service).tasks.list({ status: 'open', limit })) {
    ids.push(task_id)
    whenSeen(task_id)
  }
  return ids
}

test('tasks are listed page after page; each page begins with the last task of the one before', async () => {
  const service = await board(['d', 'c', 'b', 'a'])
  expect(await listed(service, 2)).toEqual(['d', 'c', 'b', 'a'])
  expect(service.seen.map(({ path }) => path)).toEqual(
    [0, 1, 2, 3].map((offset) => `/v1/tasks?status=open&limit=2&offset=${offset}`),
  )
})

test('a task is listed once although a newer one pushes it onto the next page', async () => {
  const ids = ['d', 'c', 'b', 'a']
  expect(await listed(await board(ids), 2, (id) => id === 'c' && ids.unshift('e'))).toEqual(['d', 'c', 'b', 'a'])
})

test.each([1, 2, 3, 4, 7, 8])(
  'with pages of %i, tasks that leave the list while it is read hide no others',
  async (limit) => {
    const all = ['g', 'f', 'e', 'd', 'c', 'b', 'a']
    const leaving = [() => true, (id: string) => id > 'd', (id: string) => id < 'd', (id: string) => 'fdb'.includes(id)]
    for (const leaves of leaving) {
      const ids = [...all]
      const handle = (id: string) => leaves(id) && ids.splice(ids.indexOf(id), 1)
      expect(await listed(await board(ids), limit, handle)).toEqual(all)
    }
  },
)

test('a page is asked for only when it is needed', async () => {
  const service = await scriptedService(page('b', 'a'))
  for await (const _ of clientOf(service).tasks.list({ limit: 2 })) break
  expect(service.seen.length).toBe(1)
})

test('a delivery is salted by its agent’s key, so that nobody guesses it from its hash, and is the same when sent again', async () => {
  const service = await scriptedService(...Array(4).fill({ body: { ok: true } }))
  const delivery = { summary: 'The answer', submission_type: 'json', submission_content: '42' } as const
  await clientOf(service).tasks.deliver('t', delivery)
  await clientOf(service).tasks.deliver('t', delivery)
  await clientOf(service).tasks.deliver('other', delivery)
  await clientOf(service, { key: new Uint8Array(32).fill(8) }).tasks.deliver('t', delivery)
  const [first, again, ...others] = service.seen.map(({ body }) => body)
  expect(JSON.parse(first ?? '')).toEqual({ ...delivery, salt: expect.stringMatching(/^[0-9a-f]{64}$/) })
  expect(again).toBe(first)
  expect(new Set([first, ...others]).size).toBe(3)
})

test('every verb of a task has its path', async () => {
  const service = await scriptedService(...Array(14).fill({ body: { ok: true, receipt: {}, receipts: [] } }))
  const { tasks } = clientOf(service)
  await tasks.get('t')
  await tasks.claim('t')
  await tasks.deliver('t', { summary: 's', submission_type: 'json' })
  await tasks.accept('t', { rating: 5 })
  await tasks.revision('t', { note: 'n' })
  await tasks.dispute('t', { reason: 'r' })
  await tasks.cancel('t', { reason: 'r' })
  await tasks.fund('t')
  await tasks.payment('t')
  await tasks.receipt('t')
  await tasks.receipts('t')
  await tasks.submission('t')
  await tasks.publish('t')
  await tasks.unpublish('t')
  expect(service.seen.map(({ method, path }) => `${method} ${path.slice('/v1/tasks/t'.length)}`)).toEqual([
    'GET ',
    'POST /claim',
    'POST /deliver',
    'POST /accept',
    'POST /revision',
    'POST /dispute',
    'POST /cancel',
    'POST /fund',
    'GET /payment',
    'GET /receipt',
    'GET /receipts',
    'GET /submission',
    'POST /submission/publish',
    'POST /submission/unpublish',
  ])
})
