import { SECOND } from '@guildhall/protocol'
import { expect, test } from 'vitest'
import { NOW, sampleAgent, sampleId } from '../../../tests/support/samples.ts'
import { addAgent, silentLog, storeBench } from '../../../tests/support/store.ts'
import type { World } from '../../ports/world.ts'
import { pushEvents } from './push-events.ts'

const bench = storeBench()

test('a turn ends within a page when its time is over, long before the lease does', async () => {
  const profile = { ...sampleAgent().profile, webhookUrl: 'https://agent.example/hook' }
  const { id: agentId } = await bench.store.transaction((tx) => addAgent(tx, { profile }))
  const event = { agentId, type: 'task.claimed', refKind: 'task', refId: 'task_1', actorId: null, payload: {} } as const
  await bench.store.transaction((tx) => tx.addEvents(Array(15).fill(event), NOW, () => sampleId('evt')))
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
        elapsed += 9 * SECOND
        pushed.push(position)
        return { kind: 'arrived' }
      },
    },
  } as unknown as World
  await pushEvents(world, agentId)
  expect(pushed).toEqual([1, 2, 3, 4])
  expect(await bench.store.dueWebhooks(NOW + elapsed, 10)).toEqual([agentId])
  await pushEvents(world, agentId)
  expect(pushed).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
})
