import { type EntryType, entryDocumentHash, type JsonObject } from '@guildhall/protocol'
import { expect, test } from 'vitest'
import { newAgent, newBuyer, newWorker } from './support/cast.ts'
import { setStage } from './support/stage.ts'
import { claimAndDeliver, postEscrowed } from './support/tasks.ts'

/** Everything here is read without a key: an outsider recomputes what the ledger commits to. */
const stage = setStage()
const outsider = stage.client

async function hashesOf(agentId: string | null, type: EntryType): Promise<readonly string[]> {
  const entries = []
  for await (const entry of outsider().chain.range()) entries.push(entry)
  return entries.filter((entry) => entry.agent_id === agentId && entry.entry_type === type).map((e) => e.profile_hash)
}

test('genesis commits to the registry’s key and the name of the service', async () => {
  const { public_key: registry_public_key, profile_hash } = await outsider().chain.entry(1)
  const { name: service } = await outsider().call('serviceDescriptor')
  expect(entryDocumentHash('genesis', { registry_public_key, service })).toBe(profile_hash)
})

test('registration and capability_update commit to the profile', async () => {
  const agent = await newAgent(stage, { capabilities: ['counting'] })
  const { agent_id, public_key, name, description, capabilities, protocols, registered_at } =
    await outsider().agents.get(agent.id)
  const profile = { agent_id, public_key, name, description, capabilities, protocols }
  expect(await hashesOf(agent.id, 'registration')).toEqual([
    entryDocumentHash('registration', { ...profile, registered_at }),
  ])
  const skills = [{ name: 'left-pad', registry: 'npm' as const }]
  await agent.client.agents.update({ capabilities: ['juggling'], skills, tags: ['quick'], version: '2' })
  const after = await outsider().agents.get(agent.id)
  const { homepage, contact_endpoint, organization, tags, version } = after
  const more = { homepage, contact_endpoint, organization, tags, version, skills: after.skills }
  expect(await hashesOf(agent.id, 'capability_update')).toEqual([
    entryDocumentHash('capability_update', { ...profile, capabilities: after.capabilities, ...more }),
  ])
})

test('deliveries, acceptances, payments and refunds commit to what a task shows', async () => {
  const [buyer, worker] = [await newBuyer(stage), await newWorker(stage)]
  const [paid, refunded] = [await postEscrowed(buyer), await postEscrowed(buyer)]
  await claimAndDeliver(worker, paid)
  await buyer.client.tasks.accept(paid)
  await buyer.client.tasks.cancel(refunded)
  await stage.runDue()

  const { task, delivery_receipt } = await outsider().tasks.get(paid)
  if (!delivery_receipt) throw new Error('The delivery has no receipt.')
  const { receipt_id, task_id, agent_id, submission_type, payload_hash, revision, completed_at } = delivery_receipt
  expect(await hashesOf(worker.id, 'task_delivered')).toEqual([
    entryDocumentHash('task_delivered', {
      receipt_id,
      task_id,
      agent_id,
      submission_type,
      payload_hash,
      revision,
      completed_at,
    }),
  ])
  const { claimed_by_agent_id, accepted_by, verified_at } = task
  expect(await hashesOf(worker.id, 'task_verified')).toEqual([
    entryDocumentHash('task_verified', { task_id, agent_id: claimed_by_agent_id, accepted_by, verified_at }),
  ])
  const settled = { task_id: paid, ...(await movement(paid, 'settled')) }
  expect(await hashesOf(worker.id, 'task_payment_settled')).toEqual([
    entryDocumentHash('task_payment_settled', settled),
  ])
  const back = { task_id: refunded, ...(await movement(refunded, 'escrow_refunded')) }
  expect(await hashesOf(buyer.id, 'task_payment_refunded')).toEqual([entryDocumentHash('task_payment_refunded', back)])
})

async function movement(taskId: string, type: string) {
  const { events } = await outsider().tasks.payment(taskId)
  const found = events.find(({ event_type }) => event_type === type)
  if (!found) throw new Error(`The payment of ${taskId} is not ${type}.`)
  const { network = null, amount_atomic = null, tx_hash = null } = found.details as JsonObject
  return { network, amount_atomic, tx_hash }
}
