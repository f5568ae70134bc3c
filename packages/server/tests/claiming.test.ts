import { describe, expect, test } from 'vitest'
import { newAgent, newBuyer, newWorker } from './support/cast.ts'
import { askPrice, pay, signPayment } from './support/payments.ts'
import { refusalOf } from './support/refusals.ts'
import { deployedWallet } from './support/smart-wallets.ts'
import { ALL_NETWORKS, BASE, POLYGON, setStage } from './support/stage.ts'
import { aBounty, aDelivery, aTask, postEscrowed, postFree } from './support/tasks.ts'
import { until } from './support/until.ts'

const stage = setStage({ networks: ALL_NETWORKS })

describe('a claim is refused', () => {
  test('on one’s own task', async () => {
    const poster = await newAgent(stage)
    expect((await refusalOf(poster.client.tasks.claim(await postFree(poster)), 'own_task')).status).toBe(400)
  })

  test('on a task that somebody holds', async () => {
    const [poster, first, second] = [await newAgent(stage), await newAgent(stage), await newAgent(stage)]
    const id = await postFree(poster)
    await first.client.tasks.claim(id)
    expect((await refusalOf(second.client.tasks.claim(id), 'conflict')).fields.status).toBe('claimed')
    await refusalOf(first.client.tasks.claim(id), 'conflict')
  })

  test('on a bounty without a payout wallet, be it escrowed or declared', async () => {
    const [buyer, worker] = [await newBuyer(stage), await newAgent(stage)]
    for (const more of [{}, { escrow: false }]) {
      const refused = await refusalOf(worker.client.tasks.claim(await postEscrowed(buyer, more)), 'wallet_required')
      expect(refused.fields.help).toContain('/wallet')
    }
    expect(await worker.client.tasks.claim(await postFree(buyer))).toMatchObject({ status: 'claimed' })
  })

  test('with a smart wallet on another network than the bounty', async () => {
    const [buyer, worker] = [await newBuyer(stage, { network: POLYGON }), await newAgent(stage)]
    await worker.client.wallet.prove(await deployedWallet(stage.chain(), worker.wallet), BASE)
    const id = await postEscrowed(buyer, { bounty: aBounty(5, POLYGON) })
    const refused = await refusalOf(worker.client.tasks.claim(id), 'wallet_network_mismatch')
    expect(refused.fields).toMatchObject({ expected: POLYGON, got: BASE })
  })

  test('while the deposit has not settled', async () => {
    const [buyer, worker] = [await newBuyer(stage), await newWorker(stage)]
    const asked = await askPrice(stage, buyer, '/v1/tasks', { ...aTask, bounty: aBounty() })
    const payment = await signPayment(stage, asked.terms, buyer.wallet)
    await buyer.client.sandbox.setFaults({ facilitator: 'settle_reverts' })
    const { body } = await pay(stage, asked, payment)
    const id = String(body.task_id)
    expect(body).toMatchObject({ claimable: false, escrow: { status: 'funding' } })
    const refused = await refusalOf(worker.client.tasks.claim(id), 'escrow_not_funded')
    expect(refused.fields.escrow).toEqual({ status: 'funding' })
    await buyer.client.sandbox.setFaults({ facilitator: 'ok' })
    await until(
      () => stage.client().tasks.get(id),
      ({ task }) => task.claimable,
    )
    expect(await worker.client.tasks.claim(id)).toMatchObject({ status: 'claimed' })
  })

  test('by an agent that is not active yet', async () => {
    const node = await stage.startNode({ GUILDHALL_ACTIVATION: 'verified' })
    const place = 1
    const poster = await newAgent(stage)
    const id = await postFree(poster)
    const { client } = await newAgentAt(place)
    expect((await refusalOf(client.tasks.claim(id), 'agent_not_active')).fields.status).toBe('pending')
    await refusalOf(client.tasks.post(aTask), 'agent_not_active')
    await stage.stopNode(node)
  })
})

/** Registers at a node of its own rules. */
async function newAgentAt(node: number) {
  const stand = { ...stage, client: (options = {}) => stage.client({ ...options, node }) }
  return newAgent(stand)
}

test('a plain key is paid at the same address on every network', async () => {
  const [buyer, worker] = [await newBuyer(stage, { network: POLYGON }), await newWorker(stage)]
  const id = await postEscrowed(buyer, { bounty: aBounty(5, POLYGON) })
  expect(await worker.client.tasks.claim(id)).toMatchObject({ status: 'claimed' })
})

test('an agent holds as many claims as its budget, and an acceptance by a person widens it', async () => {
  const [poster, worker] = [await newAgent(stage), await newAgent(stage)]
  const ids = await Promise.all(Array.from({ length: 11 }, () => postFree(poster)))
  const [last = '', first = '', ...rest] = ids
  for (const id of [first, ...rest]) await worker.client.tasks.claim(id)
  const refused = await refusalOf(worker.client.tasks.claim(last), 'claim_budget_exhausted')
  expect(refused.fields).toEqual({ budget: 10, active_claims: 10 })
  expect(await worker.client.agents.claimBudget()).toMatchObject({ budget: 10, active_claims: 10, base: 10 })
  await worker.client.tasks.deliver(first, aDelivery)
  await worker.client.tasks.claim(last)
  await poster.client.tasks.accept(first)
  expect(await worker.client.agents.claimBudget()).toMatchObject({
    budget: 20,
    active_claims: 10,
    accepted_deliveries: 1,
  })
})

test('matching agents are told of a task when it becomes claimable, others are not', async () => {
  const [buyer, matching, other] = [
    await newBuyer(stage),
    await newAgent(stage, { capabilities: ['Juggling', 'singing'] }),
    await newAgent(stage, { capabilities: ['singing'] }),
  ]
  const id = await postEscrowed(buyer, { required_capabilities: ['juggling', 'Singing'] })
  const { events } = await matching.client.events.list({ type: 'task.available' })
  expect(events).toMatchObject([{ ref_kind: 'task', ref_id: id, payload: { task_id: id } }])
  expect((await other.client.events.list()).events).toEqual([])
})
