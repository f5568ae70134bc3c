import { Client } from 'pg'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { newBuyer, newWorker } from '../support/cast.ts'
import { outcomeOf, send, signed } from '../support/raw.ts'
import { type Node, setStage } from '../support/stage.ts'
import { gate } from '../support/store.ts'
import { postFree } from '../support/tasks.ts'
import { until } from '../support/until.ts'

/** No node does anything by itself; the first has only two connections, of which one is for reading alone. */
const stage = setStage({ nodes: 0, settings: { GUILDHALL_ROLE: 'api' } })
const OTHER = 1
let small: Node
beforeAll(async () => {
  small = await stage.startNode({ GUILDHALL_POOL_SIZE: '2' })
  await stage.startNode()
})

const task = async (id: string) => (await stage.client({ node: OTHER }).tasks.get(id)).task

test('while all connections for changes are taken, a change gets 503 and is not carried out, and reads go on', async () => {
  const { service, url } = small
  const poster = await newBuyer(stage)
  const done = gate()
  const taken = gate()
  const holder = service.world.store.transaction(async (tx) => {
    await tx.task('task_none')
    taken.open()
    await done.opened
  })
  await taken.opened
  const request = signed(stage, poster, 'POST', '/v1/tasks', { title: 'Count', description: 'to ten' })
  const [refused, read] = await Promise.all([send(stage, request, { once: true }), fetch(`${url}/v1/tasks`)])
  expect(outcomeOf(refused)).toBe('503 service_unavailable')
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(read.status).toBe(200)
  done.open()
  await holder
  expect(outcomeOf(await send(stage, request))).toBe('200')
  expect((await fetch(`${url}/v1/health`)).status).toBe(200)
})

test('a node that freezes while it holds the lock of a row delays others for seconds, and writes nothing when it wakes', async () => {
  const [poster, worker] = [await newBuyer(stage), await newWorker(stage)]
  const id = await postFree(poster)
  const [held, woken] = [gate(), gate()]
  const frozen = small.service.world.store.transaction(async (tx) => {
    const before = await tx.lockTask(id)
    held.open()
    await woken.opened
    if (before) await tx.saveTask({ ...before, status: 'cancelled', cancelledAt: stage.now() })
  })
  await held.opened
  const claim = () => send(stage, signed(stage, worker, 'POST', `/v1/tasks/${id}/claim`), { node: OTHER, once: true })
  const first = await claim()
  expect(outcomeOf(first)).toBe('503 service_unavailable')
  const answer = await until(claim, ({ status }) => status !== 503)
  expect(outcomeOf(answer)).toBe('200')
  woken.open()
  await expect(frozen).rejects.toThrow()
  expect(await task(id)).toMatchObject({ status: 'claimed', claimed_by_agent_id: worker.id })
})

test('while all connections for reads are taken, a read gets 503, and is answered once one is free', async () => {
  const { url } = small
  const locker = new Client({ connectionString: stage.databaseUrl })
  await locker.connect()
  onTestFinished(() => locker.end())
  await locker.query('begin')
  await locker.query('lock table tasks in access exclusive mode')
  const lists = ['research', 'code', 'data'].map((category) => fetch(`${url}/v1/tasks?category=${category}`))
  for (const answer of await Promise.all(lists)) {
    expect(await answer.json()).toMatchObject({ error: 'service_unavailable' })
    expect(answer.status).toBe(503)
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  }
  await locker.query('rollback')
  const answer = await until(
    () => fetch(`${url}/v1/tasks?category=code`),
    ({ status }) => status !== 503,
  )
  expect(answer.status).toBe(200)
})
