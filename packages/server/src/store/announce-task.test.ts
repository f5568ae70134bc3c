import { DAY } from '@guildhall/protocol'
import { beforeAll, expect, test } from 'vitest'
import { NOW, sampleId, sampleTask } from '../../tests/support/samples.ts'
import { addCapableAgent, storeBench } from '../../tests/support/store.ts'
import type { Task } from '../domain/task/task.ts'

const bench = storeBench()
const newId = () => sampleId('evt')
const batch = (task: Task, store = bench.store) => store.transaction((tx) => tx.announceTask(task, NOW, newId))

/** All batches, as the jobs write them; gives the number told by each. */
async function announce(task: Task, store = bench.store): Promise<readonly number[]> {
  for (const counts: number[] = []; ; ) {
    const { told, done } = await batch(task, store)
    counts.push(told)
    if (done) return counts
  }
}
const capable = (...capabilities: string[]) => addCapableAgent(bench.store, capabilities)
const told = async (agentId: string) =>
  (await bench.store.inbox({ agentId, after: 0, type: 'task.available', unreadOnly: true, limit: 100 })).events

test('active agents whose capabilities cover the task are told, its poster is not', async () => {
  const [both, one, poster] = [await capable('RUST', 'sql', 'x'), await capable('rust'), await capable('rust', 'sql')]
  const pending = await capable('rust', 'sql')
  await bench.sql.query(`update agents set status = 'pending' where id = $1`, [pending])
  const task = sampleTask({
    creator: { kind: 'agent', id: poster },
    requiredCapabilities: ['Rust', 'SQL', 'rust'],
    bounty: { amount: 5_000_000n, network: 'eip155:8453' },
  })
  expect(await announce(task)).toEqual([1])
  const [event] = await told(both)
  expect(event).toMatchObject({ position: 1, refKind: 'task', refId: task.id, actorId: poster, createdAt: NOW })
  expect(event?.payload).toMatchObject({ title: task.title, bounty_amount: '5000000' })
  for (const agentId of [one, poster, pending]) expect(await told(agentId)).toEqual([])
})

test('a task that asks for nothing is announced to nobody', async () => {
  await capable('anything')
  expect(await announce(sampleTask())).toEqual([0])
})

const MANY = 10_000
const BATCHES = [2_500, 2_500, 2_500, 2_500, 0]
const many = (changes: Partial<Task> = {}) => sampleTask({ requiredCapabilities: ['many'], ...changes })

beforeAll(async () => {
  await bench.sql.query(`
    insert into agents (id, public_key, status, name, name_key, description, capabilities, capability_keys, protocols,
      tags, skills, registered_at, house, bond_balance, delivered, accepted,
      disputed, accepted_by_person, expired_claims, lost_disputes, rating_count, rating_sum)
    select 'ag_many' || n, n, 'active', n, 'many' || n, '', '{many}', '{many}', '{}', '{}', '[]', 'epoch', false,
      0, 0, 0, 0, 0, 0, 0, 0, 0
    from generate_series(1, ${MANY}) n`)
  await bench.sql.query(`insert into inboxes select id, 0, 0 from agents where capability_keys = '{many}'`)
})

async function toldOf(task: Task): Promise<unknown> {
  const { rows } = await bench.sql.query(
    'select count(distinct agent_id)::int as agents, count(*)::int as events from inbox_events where ref_id = $1',
    [task.id],
  )
  return rows[0]
}

test('two nodes tell ten thousand agents at once, each in its batches and without deadlock', async () => {
  const [one, two] = [many(), many()]
  expect(await Promise.all([announce(one), announce(two, bench.other)])).toEqual([BATCHES, BATCHES])
  for (const task of [one, two]) expect(await toldOf(task)).toEqual({ agents: MANY, events: MANY })
})

test('an announcement that was cut short goes on where it stopped, and nobody is told twice', async () => {
  const task = many()
  await batch(task)
  await batch(task)
  const cut = bench.store.transaction(async (tx) => {
    await tx.announceTask(task, NOW, newId)
    throw new Error('crash')
  })
  await expect(cut).rejects.toThrow('crash')
  expect(await announce(task, bench.other)).toEqual(BATCHES.slice(2))
  expect(await toldOf(task)).toEqual({ agents: MANY, events: MANY })
})

test('an announcement that the jobs have begun is finished by the jobs alone', async () => {
  const task = many()
  await batch(task)
  await bench.sql.query(`update agents set status = 'pending' where capability_keys = '{many}' and id > 'ag_many1'`)
  expect(await bench.other.transaction((tx) => tx.announceAtOnce(task, NOW, newId))).toBe(false)
  await bench.sql.query(`update agents set status = 'active' where capability_keys = '{many}'`)
  expect(await toldOf(task)).toEqual({ agents: 2_500, events: 2_500 })
})

test('a reopened task is announced from the beginning, however far it had come', async () => {
  const task = many({ expiresAt: NOW })
  await batch(task)
  expect(await announce({ ...task, expiresAt: NOW + 1 })).toEqual(BATCHES)
  expect(await announce({ ...task, expiresAt: NOW + 2 })).toEqual(BATCHES)
})

test('what is left of an announcement is forgotten after a day', async () => {
  const task = many()
  await batch(task)
  const left = async () =>
    (await bench.sql.query('select from task_announcements where task_id = $1', [task.id])).rowCount
  await bench.store.transaction((tx) => tx.forgetExpired(NOW + DAY - 1))
  expect(await left()).toBe(1)
  await bench.store.transaction((tx) => tx.forgetExpired(NOW + DAY))
  expect(await left()).toBe(0)
})
