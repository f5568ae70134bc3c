import { expect, test } from 'vitest'
import { NOW, sampleId, sampleTask } from '../../tests/support/samples.ts'
import { addCapableAgent, gate, storeBench } from '../../tests/support/store.ts'
import type { Task } from '../domain/task/task.ts'

const bench = storeBench()
const newId = () => sampleId('evt')
const post = (task: Task) => bench.other.transaction((tx) => tx.postTask(task, NOW, newId))
const capable = (...capabilities: string[]) => addCapableAgent(bench.store, capabilities)
/** One agent more than are told at once. */
async function crowd(capability: string): Promise<readonly string[]> {
  const agents: string[] = []
  for (let nr = 0; nr < 26; nr++) agents.push(await capable(capability))
  return agents
}
const told = async (agentId: string) =>
  (await bench.store.inbox({ agentId, after: 0, type: 'task.available', unreadOnly: true, limit: 100 })).events
const isAnnounced = async ({ id }: Task) => (await bench.store.task(id))?.announced

test('a few matching agents are told in the transaction that posts the task; its poster is not', async () => {
  const [able, half, poster] = [await capable('Rust', 'sql'), await capable('rust'), await capable('rust', 'sql')]
  const task = sampleTask({ creator: { kind: 'agent', id: poster }, requiredCapabilities: ['rust', 'SQL'] })
  const before = await bench.store.statusCounts()
  await post(task)
  expect(await bench.store.task(task.id)).toEqual({ ...task, announced: true })
  const events = await told(able)
  expect(events).toMatchObject([{ position: 1, refKind: 'task', refId: task.id, actorId: poster, createdAt: NOW }])
  expect(events[0]?.payload).toMatchObject({ task_id: task.id, title: task.title, bounty_amount: null })
  for (const agentId of [half, poster]) expect(await told(agentId)).toEqual([])
  const found = await bench.sql.query('select capability, status from task_capabilities where task_id = $1', [task.id])
  expect(found.rows).toEqual(['rust', 'sql'].map((capability) => ({ capability, status: 'open' })))
  expect((await bench.store.statusCounts()).tasks.open).toBe(before.tasks.open + 1)
})

test('a task that asks for nothing is announced to nobody', async () => {
  const agentId = await capable('anything')
  const task = sampleTask()
  await post(task)
  expect([await isAnnounced(task), await told(agentId)]).toEqual([true, []])
})

test('a task for many waits for the jobs', async () => {
  const agents = await crowd('popular')
  const task = sampleTask({ requiredCapabilities: ['popular'] })
  await post(task)
  expect(await isAnnounced(task)).toBe(false)
  for (const agentId of agents) expect(await told(agentId)).toEqual([])
})

test('of tasks that are posted in one transaction, each is told to its own agents', async () => {
  const [one, other, both] = [await capable('one'), await capable('other'), await capable('one', 'other')]
  await crowd('common')
  const asking = (...requiredCapabilities: string[]) => sampleTask({ requiredCapabilities })
  const tasks = [
    asking('one'),
    asking('other'),
    asking('one', 'other'),
    asking('nobody can'),
    asking('common'),
    asking(),
  ]
  await Promise.all(
    tasks.map((task) => bench.other.sharedTransaction([task.id], (tx) => tx.postTask(task, NOW, newId))),
  )
  const refs = async (agentId: string) => (await told(agentId)).map(({ refId }) => refId).toSorted()
  const ids = (...places: number[]) => places.map((place) => tasks[place]?.id).toSorted()
  expect(await refs(one)).toEqual(ids(0))
  expect(await refs(other)).toEqual(ids(1))
  expect(await refs(both)).toEqual(ids(0, 1, 2))
  expect(await Promise.all(tasks.map(isAnnounced))).toEqual([true, true, true, true, false, true])
  const { rows } = await bench.sql.query('select distinct xmin from tasks where id = any($1)', [
    tasks.map(({ id }) => id),
  ])
  expect(rows).toHaveLength(1)
})

test('a posting waits for no inbox', async () => {
  const [busy, free] = [await capable('busy'), await capable('busy')]
  const task = sampleTask({ requiredCapabilities: ['busy'] })
  const [holding, done] = [gate(), gate()]
  const holder = bench.store.transaction(async (tx) => {
    await tx.markEventsRead(busy, { upTo: 1 }, NOW)
    holding.open()
    await done.opened
  })
  await holding.opened
  await post(task)
  expect([await isAnnounced(task), await told(free)]).toEqual([false, []])
  done.open()
  await holder
})
