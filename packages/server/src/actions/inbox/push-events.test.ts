import { DAY, SECOND } from '@guildhall/protocol'
import { expect, test } from 'vitest'
import { NOW, sampleAgent, sampleId } from '../../../tests/support/samples.ts'
import { addAgent, silentLog, storeBench } from '../../../tests/support/store.ts'
import type { PushOutcome } from '../../ports/webhooks.ts'
import type { World } from '../../ports/world.ts'
import { pushEvents } from './push-events.ts'

const bench = storeBench()

async function listenerWith(count: number, at: number): Promise<string> {
  const profile = { ...sampleAgent().profile, name: sampleId('n'), webhookUrl: 'https://agent.example/hook' }
  const { id: agentId } = await bench.store.transaction((tx) => addAgent(tx, { profile }))
  const event = { agentId, type: 'task.claimed', refKind: 'task', refId: 'task_1', actorId: null, payload: {} } as const
  await bench.store.transaction((tx) => tx.addEvents(Array(count).fill(event), at, () => sampleId('evt')))
  return agentId
}

/** A world whose time passes only while events are pushed. */
function worldWith(outcome: PushOutcome, pushMs: number) {
  let elapsed = 0
  const pushed: number[] = []
  const world = {
    clock: { now: () => NOW + elapsed },
    timer: { elapsed: () => elapsed },
    random: { bytes: (count: number) => new Uint8Array(count) },
    log: silentLog,
    failpoints: { reach: async () => {} },
    store: bench.store,
    webhooks: {
      async push(_: unknown, { position }: { readonly position: number }) {
        elapsed += pushMs
        pushed.push(position)
        return outcome
      },
    },
  } as unknown as World
  return { world, pushed }
}

test('a turn ends within a page when its time is over, long before the lease does', async () => {
  const agentId = await listenerWith(15, NOW)
  const { world, pushed } = worldWith({ kind: 'arrived' }, 9 * SECOND)
  await pushEvents(world, agentId)
  expect(pushed).toEqual([1, 2, 3, 4])
  expect(await bench.store.dueWebhooks(world.clock.now(), 10)).toEqual([agentId])
  await pushEvents(world, agentId)
  expect(pushed).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
})

test('a turn ends with the event that is being pushed when its node stops, and another node goes on at once', async () => {
  const agentId = await listenerWith(3, NOW)
  const { world, pushed } = worldWith({ kind: 'arrived' }, SECOND)
  await pushEvents(world, agentId, () => pushed.length > 0)
  expect(pushed).toEqual([1])
  await pushEvents(world, agentId)
  expect(pushed).toEqual([1, 2, 3])
})

test('old events are given up unseen only at an address that has not answered for a day', async () => {
  const agentId = await listenerWith(15, NOW - 2 * DAY)
  const { world, pushed } = worldWith({ kind: 'failed', error: 'no' }, 0)
  const statuses = async () => {
    const query = { agentId, status: null, before: null, limit: 100 }
    return new Set((await bench.store.webhookDeliveries(query)).map(({ status }) => status))
  }
  await pushEvents(world, agentId)
  expect([pushed, await statuses()]).toEqual([[1, 2, 3], new Set(['pending'])])
  await bench.sql.query('update webhooks set attempts = 299, next_attempt_at = null where agent_id = $1', [agentId])
  await pushEvents(world, agentId)
  expect(pushed).toEqual([1, 2, 3, 4])
  expect(await bench.store.webhookDeliveries({ agentId, status: 'failed', before: null, limit: 100 })).toHaveLength(11)
})
