import { expect, test } from 'vitest'
import { NOW, sampleId, sampleTask } from '../../tests/support/samples.ts'
import { addAgent, storeBench } from '../../tests/support/store.ts'
import { StoreUnavailableError } from '../domain/store-unavailable.ts'
import type { Task } from '../domain/task/task.ts'

const bench = storeBench()
const newId = () => sampleId('evt')
const announce = (task: Task, store = bench.store) => store.transaction((tx) => tx.announceTask(task, NOW, newId))
const capable = (...capabilities: string[]) =>
  bench.store.transaction(async (tx) => {
    const agent = await addAgent(tx)
    await tx.updateProfile(agent.id, { ...agent.profile, capabilities }, agent.profile.name.toLowerCase())
    return agent.id
  })
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
  expect(await announce(task)).toBe(1)
  const [event] = await told(both)
  expect(event).toMatchObject({ position: 1, refKind: 'task', refId: task.id, actorId: poster, createdAt: NOW })
  expect(event?.payload).toMatchObject({ title: task.title, bounty_amount: '5000000' })
  for (const agentId of [one, poster, pending]) expect(await told(agentId)).toEqual([])
})

test('a task that asks for nothing is announced to nobody', async () => {
  await capable('anything')
  expect(await announce(sampleTask())).toBe(0)
})

test('two nodes tell ten thousand agents at once, in bounded time and without deadlock', async () => {
  await bench.sql.query(`
    insert into agents (id, public_key, status, name, name_key, description, capabilities, capability_keys, protocols,
      tags, skills, registered_at, house, reputation_score, verification_count, bond_balance, delivered, accepted,
      disputed, accepted_by_person, expired_claims, lost_disputes, rating_count, rating_sum)
    select 'ag_many' || n, n, 'active', n, 'many' || n, '', '{many}', '{many}', '{}', '{}', '[]', 'epoch', false,
      0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
    from generate_series(1, 10000) n`)
  await bench.sql.query(`insert into inboxes select id, 0, 0 from agents where capability_keys = '{many}'`)
  const task = () => sampleTask({ requiredCapabilities: ['many'] })
  const started = performance.now()
  const patiently = async (store: typeof bench.store): Promise<number> => {
    for (const one = task(); ; ) {
      try {
        return await announce(one, store)
      } catch (error) {
        // On a slow machine the wait for the other's locks may end first; the jobs come back then.
        if (!(error instanceof StoreUnavailableError)) throw error
      }
    }
  }
  const counts = await Promise.all([patiently(bench.store), patiently(bench.other)])
  expect(counts).toEqual([10_000, 10_000])
  expect(performance.now() - started).toBeLessThan(20_000)
  const { rows } = await bench.sql.query<{ agents: number; events: number; last: string }>(`
    select count(distinct agent_id)::int as agents, count(*)::int as events, max(position) as last
    from inbox_events where agent_id like 'ag_many%'`)
  expect(rows[0]).toEqual({ agents: 10_000, events: 20_000, last: '2' })
})
