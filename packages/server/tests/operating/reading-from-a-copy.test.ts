import type { Postgres } from '@guildhall/sandbox'
import type { Guildhall } from '@guildhall/sdk'
import { Client } from 'pg'
import { beforeAll, expect, test } from 'vitest'
import { newBuyer, newWorker } from '../support/cast.ts'
import { ownPostgres } from '../support/own-postgres.ts'
import { refusalOf } from '../support/refusals.ts'
import { type Node, setStage } from '../support/stage.ts'
import { deliveredTask, postFree } from '../support/tasks.ts'
import { until } from '../support/until.ts'

const server = ownPostgres()
let copy: Postgres
let reader: Node
const stage = setStage({
  async openDatabase() {
    const database = await server.open()
    copy = await server.follow()
    return database
  },
})
const MAX_LAG_MS = '300'
const readerSettings = () => ({
  GUILDHALL_ROLE: 'reader',
  DATABASE_URL: copy.url,
  GUILDHALL_MAX_LAG_MS: MAX_LAG_MS,
})
beforeAll(async () => {
  // A copy that is behind for a moment refuses the start, and whoever runs the node starts it again.
  const started = await until(
    () => stage.startNode(readerSettings()).catch(() => null),
    (node) => node !== null,
  )
  if (started !== null) reader = started
})

const atReader = () => stage.client({ baseUrl: reader.url })
const health = async () => (await fetch(`${reader.url}/v1/health`)).status

/** What an address shows, but for the moment at which a node counted. */
const shownAt = async (url: string) => (await (await fetch(url)).text()).replace(/"computed_at":"[^"]*"/, '')

async function onCopy(statement: string): Promise<void> {
  const client = new Client({ connectionString: copy.url })
  await client.connect()
  await client.query(statement)
  await client.end()
}

test('a reader shows from the copy what others have written: board, task, directory, feed and ledger', async () => {
  const [buyer, worker] = [await newBuyer(stage), await newWorker(stage)]
  const taskId = await deliveredTask(buyer, worker)
  await buyer.client.tasks.accept(taskId)
  const settled = async ({ tasks }: Guildhall) => {
    const { task } = await tasks.get(taskId)
    return task.payment_status === 'settled' ? task : null
  }
  const task = await until(() => settled(stage.client()), Boolean)
  await expect.poll(() => settled(atReader()).catch(() => null)).toEqual(task)
  for (const path of [
    '/v1/tasks?status=all',
    `/v1/agents/${worker.id}`,
    '/v1/agents/search?q=story',
    '/v1/tasks/settled',
    '/v1/chain',
    '/v1/chain/latest',
  ]) {
    const bodies = await until(
      () => Promise.all([stage.node().url, reader.url].map((url) => shownAt(url + path))),
      ([theirs, ours]) => theirs === ours,
    )
    expect(bodies[0]).toContain('{')
  }
})

test('a reader changes nothing: a caller that asks for a change is told to retry, which leads to another node', async () => {
  const buyer = await newBuyer(stage)
  await until(
    () => fetch(`${reader.url}/v1/agents/${buyer.id}`),
    ({ ok }) => ok,
  )
  const there = { ...buyer, client: buyer.with({ baseUrl: reader.url, fetch }) }
  await refusalOf(postFree(there), 'service_unavailable')
  const { tasks } = await stage.client().call('listTasks', { query: { creator: buyer.id, status: 'all' } })
  expect(tasks).toEqual([])
})

test('a reader whose copy lags behind says so by its health, and is back when the copy is', async () => {
  await until(health, (status) => status === 200)
  await onCopy('select pg_wal_replay_pause()')
  await newBuyer(stage)
  await until(health, (status) => status === 503)
  await onCopy('select pg_wal_replay_resume()')
  await until(health, (status) => status === 200)
})

test('a node that has to write does not start on a copy', async () => {
  await expect(stage.startNode({ DATABASE_URL: copy.url })).rejects.toThrow(/copy that nobody can write to/)
})
