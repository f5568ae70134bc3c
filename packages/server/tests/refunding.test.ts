import { DAY, HOUR } from '@guildhall/protocol'
import { generatePrivateKey, type PrivateKeyAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { give, newAgent, newBuyer, newWallet, newWorker } from './support/cast.ts'
import { cancelAuthorization, carryOut, signTransfer, usdcOf } from './support/chain-calls.ts'
import { askPrice, pay, signPayment } from './support/payments.ts'
import { outcomeOf } from './support/raw.ts'
import { refusalOf } from './support/refusals.ts'
import { deployedWallet } from './support/smart-wallets.ts'
import { ALL_NETWORKS, BASE, POLYGON, setStage } from './support/stage.ts'
import { aBounty, aTask, deliveredTask, postEscrowed, postFree } from './support/tasks.ts'

const stage = setStage({ networks: ALL_NETWORKS })
const withBounty = { ...aTask, bounty: aBounty() }
const task = async (id: string) => (await stage.client().tasks.get(id)).task

describe('cancelling', () => {
  test.each([BASE, POLYGON])('sends a held deposit back to the paying wallet on %s', async (network) => {
    const buyer = await newBuyer(stage, { network })
    const id = await postEscrowed(buyer, { bounty: aBounty(5, network) })
    const cancelled = await buyer.client.tasks.cancel(id)
    expect(cancelled).toMatchObject({
      status: 'cancelled',
      payment_status: 'refunded',
      escrow: { status: 'refunded', leg: 'refund' },
    })
    expect((await task(id)).escrow?.refund_tx_hash).toBe(cancelled.refund_tx_hash)
    expect(await usdcOf(stage.chain(network), buyer.wallet.address)).toBe(100_000_000n)
    expect((await buyer.client.events.list({ type: 'task.escrow_refunded' })).events).toHaveLength(1)
    const history = (await stage.client().tasks.payment(id)).events.map(({ event_type }) => event_type)
    expect(history).toEqual([
      'bounty_declared',
      'authorized',
      'escrow_funded',
      'escrow_refund_requested',
      'escrow_refunded',
    ])
  })

  test('refunds whoever paid, not whoever posted', async () => {
    const [agent, payer] = [await newAgent(stage), newWallet()]
    const wallet = await deployedWallet(stage.chain(), payer)
    await give(stage, wallet.address, '5')
    const asked = await askPrice(stage, agent, '/v1/tasks', withBounty)
    const { body } = await pay(stage, asked, await signPayment(stage, asked.terms, wallet))
    await agent.client.tasks.cancel(String(body.task_id))
    expect(await usdcOf(stage.chain(), wallet.address)).toBe(5_000_000n)
    expect(await usdcOf(stage.chain(), agent.wallet.address)).toBe(0n)
  })

  test('a claimed task refunds as well, and the claimer is told', async () => {
    const [buyer, worker] = [await newBuyer(stage), await newWorker(stage)]
    const id = await postEscrowed(buyer)
    await worker.client.tasks.claim(id)
    expect(await buyer.client.tasks.cancel(id)).toMatchObject({ payment_status: 'refunded' })
    expect((await worker.client.events.list({ type: 'task.cancelled' })).events).toHaveLength(1)
  })

  test('a delivered task refunds only after a dispute', async () => {
    const [buyer, worker] = [await newBuyer(stage), await newWorker(stage)]
    const id = await deliveredTask(buyer, worker)
    await refusalOf(buyer.client.tasks.cancel(id), 'dispute_first')
    expect(await buyer.client.tasks.dispute(id, { reason: 'No.' })).toMatchObject({ payment_status: 'pending' })
    expect(await buyer.client.tasks.cancel(id)).toMatchObject({ payment_status: 'refunded' })
    expect(await usdcOf(stage.chain(), buyer.wallet.address)).toBe(100_000_000n)
  })

  test('voids a bounty that was only declared', async () => {
    const buyer = await newBuyer(stage)
    const id = await postFree(buyer, { bounty: aBounty(), escrow: false })
    expect(await buyer.client.tasks.cancel(id)).toMatchObject({ payment_status: 'expired', escrow: null })
  })

  test('is blocked while the deposit is on its way: 409 payment_in_flight', async () => {
    const buyer = await newBuyer(stage)
    const asked = await askPrice(stage, buyer, '/v1/tasks', withBounty)
    const payment = await signPayment(stage, asked.terms, buyer.wallet)
    await buyer.client.sandbox.setFaults({ facilitator: 'settle_reverts' })
    const { body } = await pay(stage, asked, payment)
    const id = String(body.task_id)
    await refusalOf(buyer.client.tasks.cancel(id), 'payment_in_flight')
    await buyer.client.sandbox.setFaults({ facilitator: 'ok' })
    await stage.travel(60_000)
    expect(await buyer.client.tasks.cancel(id)).toMatchObject({ payment_status: 'refunded' })
  })
})

/** Moves everything that a wallet holds to another one. */
async function drain(wallet: PrivateKeyAccount): Promise<void> {
  const chain = stage.chain()
  const away = {
    from: wallet.address,
    to: newWallet().address,
    value: await usdcOf(chain, wallet.address),
    validAfter: 0n,
    validBefore: 2n ** 40n,
    nonce: generatePrivateKey(),
  }
  await carryOut(chain, away, await signTransfer(chain, wallet, away))
}

describe('a deposit that can never arrive', () => {
  /** Posted with an authorization that its payer has taken back behind our back. */
  async function unfundable() {
    const buyer = await newBuyer(stage)
    const asked = await askPrice(stage, buyer, '/v1/tasks', { ...withBounty, expires_in_days: 30 })
    const payment = await signPayment(stage, asked.terms, buyer.wallet)
    await buyer.client.sandbox.setFaults({ facilitator: 'settle_reverts' })
    const { body } = await pay(stage, asked, payment)
    return { buyer, id: String(body.task_id), payment }
  }

  test('leaves the task unfunded only once the authorization has run out, and it can be funded again', async () => {
    const { buyer, id } = await unfundable()
    await refusalOf(buyer.client.tasks.fund(id), 'settlement_in_progress')
    await stage.travel(2_700_000)
    expect(await task(id)).toMatchObject({ escrow: { status: 'funding' }, payment_status: 'settling' })
    await stage.travel(900_000)
    expect(await task(id)).toMatchObject({
      escrow: { status: 'unfunded' },
      payment_status: 'expired',
      claimable: false,
    })
    expect((await buyer.client.events.list({ type: 'task.payment_failed' })).events).toHaveLength(1)
    await buyer.client.sandbox.setFaults({ facilitator: 'ok' })
    const view = await stage.client().tasks.payment(id)
    expect(view).toMatchObject({ requirements: { amount: '5000000' }, fund_endpoint: `/v1/tasks/${id}/fund` })
    const funded = await buyer.client.tasks.fund(id)
    expect(funded).toMatchObject({ status: 'open', claimable: true, escrow: { status: 'funded' } })
    expect(await usdcOf(stage.chain(), buyer.wallet.address)).toBe(95_000_000n)
    await refusalOf(buyer.client.tasks.fund(id), 'invalid_state')
    expect((await stage.client().tasks.payment(id)).requirements_unavailable_reason).toBe('escrow_held')
  })

  test('is dead at once when its payer has cancelled the authorization on chain', async () => {
    const { buyer, id, payment } = await unfundable()
    await cancelAuthorization(stage.chain(), buyer.wallet, payment.authorization.nonce)
    await buyer.client.sandbox.setFaults({ facilitator: 'ok' })
    await stage.travel(60_000)
    expect(await task(id)).toMatchObject({ escrow: { status: 'unfunded' }, payment_status: 'expired' })
    expect(await buyer.client.tasks.cancel(id)).toMatchObject({ status: 'cancelled', payment_status: 'expired' })
    expect(await usdcOf(stage.chain(), buyer.wallet.address)).toBe(100_000_000n)
  })

  test('stays on its way while the payer has spent the money elsewhere, until it has run out', async () => {
    const { buyer, id } = await unfundable()
    await drain(buyer.wallet)
    await buyer.client.sandbox.setFaults({ facilitator: 'ok' })
    await stage.travel(60_000)
    expect(await task(id)).toMatchObject({ escrow: { status: 'funding' }, claimable: false })
    expect((await task(id)).last_settle_error).toContain('insufficient')
    await stage.travel(HOUR)
    expect(await task(id)).toMatchObject({ escrow: { status: 'unfunded' }, payment_status: 'expired' })
  })

  test('is funded by one of several calls that come at once', async () => {
    const { buyer, id } = await unfundable()
    await stage.travel(3_700_000)
    await buyer.client.sandbox.setFaults({ facilitator: 'ok' })
    const asked = await Promise.all(Array.from({ length: 5 }, () => askPrice(stage, buyer, `/v1/tasks/${id}/fund`)))
    const payments = await Promise.all(asked.map(({ terms }) => signPayment(stage, terms, buyer.wallet)))
    const answers = await Promise.all(asked.map((one, place) => pay(stage, one, payments[place] ?? { header: '' })))
    const outcomes = answers.map(outcomeOf)
    expect(outcomes.filter((outcome) => outcome === '200')).toHaveLength(1)
    expect(outcomes.every((outcome) => /^(200|409 (settlement_in_progress|invalid_state))$/.test(outcome))).toBe(true)
    expect(await usdcOf(stage.chain(), buyer.wallet.address)).toBe(95_000_000n)
  })
})

test('a task without escrow has nothing to fund: 409 invalid_state says where a declared bounty is paid', async () => {
  const buyer = await newBuyer(stage)
  for (const id of [await postFree(buyer), await postFree(buyer, { bounty: aBounty(), escrow: false })]) {
    const refused = await refusalOf(buyer.client.tasks.fund(id), 'invalid_state')
    expect(refused.fields).toMatchObject({ status: 'open' })
    expect(refused.message).toContain('paid through accept')
  }
})

describe('expiry without a claim', () => {
  test('refunds an escrowed bounty to the paying wallet', async () => {
    const buyer = await newBuyer(stage)
    const id = await postEscrowed(buyer, { expires_in_days: 2 })
    await stage.travel(2 * DAY - 60_000)
    expect(await task(id)).toMatchObject({ status: 'open' })
    await stage.travel(60_000)
    expect(await task(id)).toMatchObject({
      status: 'expired',
      payment_status: 'refunded',
      escrow: { status: 'refunded' },
    })
    expect(await usdcOf(stage.chain(), buyer.wallet.address)).toBe(100_000_000n)
    const types = (await buyer.client.events.list()).events.map(({ type }) => type)
    expect(types.filter((type) => type === 'task.expired')).toHaveLength(1)
  })

  test('comes after sixty days by default, and voids a declared bounty', async () => {
    const buyer = await newBuyer(stage)
    const id = await postFree(buyer, { bounty: aBounty(), escrow: false })
    await stage.travel(60 * DAY - 60_000)
    expect(await task(id)).toMatchObject({ status: 'open', expires_in_days: 60 })
    await stage.travel(60_000)
    expect(await task(id)).toMatchObject({ status: 'expired', payment_status: 'expired' })
  })
})
