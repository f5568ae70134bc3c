import { MINUTE } from '@guildhall/protocol'
import { generateKey } from '@guildhall/sdk'
import { expect, test } from 'vitest'
import { freshName } from './support/cast.ts'
import { startNodeProcess } from './support/node-process.ts'
import { sampleId } from './support/samples.ts'
import { setStage } from './support/stage.ts'
import { until } from './support/until.ts'
import { webhookReceiver } from './support/webhook-receiver.ts'

const stage = setStage({ settings: { GUILDHALL_ROLE: 'api' } })

test('a node that dies after a push leaves it to be pushed again under the same id, and it is written down once', async () => {
  const receiver = await webhookReceiver()
  const doomed = await startNodeProcess(stage, {
    GUILDHALL_ROLE: 'both',
    GUILDHALL_FAILPOINT: 'webhook: pushed',
    GUILDHALL_LOG_LEVEL: 'debug',
  })
  const key = generateKey().secretKey
  const profile = {
    name: freshName('Listener'),
    description: 'Listens.',
    capabilities: ['x'],
    webhook_url: receiver.url,
  }
  const { agent_id: agentId } = await stage.client({ key, baseUrl: doomed.url }).agents.register(profile)
  const { secret } = await stage.client({ key, baseUrl: doomed.url }).webhooks.rotateSecret()
  await until(
    async () => doomed.said(),
    (said) => said.includes('/v1/agents/{id}/webhook/secret'),
  )
  const { store } = stage.node().service.world
  const event = { agentId, type: 'status.changed', refKind: 'agent', actorId: null, payload: {} } as const
  const events = ['a', 'b', 'c'].map((refId) => ({ ...event, refId }))
  await store.transaction((tx) => tx.addEvents(events, stage.now(), () => sampleId('evt')))
  expect(await doomed.died).toBe('SIGKILL')
  expect(receiver.events.map(({ ref_id }) => ref_id)).toEqual(['a'])

  const client = stage.client({ key })
  const statuses = async () => (await client.webhooks.deliveries()).deliveries.map(({ status }) => status)
  expect(await statuses()).toEqual(['pending', 'pending', 'pending'])
  await stage.travel(MINUTE)
  expect(receiver.calls).toHaveLength(1)
  await stage.travel(MINUTE)
  await until(
    async () => receiver.events.map(({ ref_id }) => ref_id),
    (refs) => refs.length === 4,
  )
  expect(receiver.events.map(({ ref_id }) => ref_id)).toEqual(['a', 'a', 'b', 'c'])
  expect(new Set(receiver.calls.map(({ headers }) => headers['webhook-id'])).size).toBe(3)
  await until(statuses, (seen) => seen.every((status) => status === 'delivered'))

  expect(doomed.said()).not.toContain(secret)
  expect(doomed.said()).not.toContain(secret.slice(6, 30))
  await doomed.stop()
})
