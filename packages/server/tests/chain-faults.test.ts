import { HOUR } from '@guildhall/protocol'
import { afterEach, describe, expect, test } from 'vitest'
import { newBuyer, newWorker } from './support/cast.ts'
import { carryOut, timesPaid, usdcOf } from './support/chain-calls.ts'
import { askPrice, pay, signPayment } from './support/payments.ts'
import { outcomeOf } from './support/raw.ts'
import { setStage } from './support/stage.ts'
import { aBounty, aTask, deliveredTask, postEscrowed } from './support/tasks.ts'
import { until } from './support/until.ts'

const stage = setStage({ settings: { GUILDHALL_SETTLE_IN_REQUEST_MS: '400' } })
const withBounty = { ...aTask, bounty: aBounty() }
const task = async (id: string) => (await stage.client().tasks.get(id)).task
const faults = (rpc: 'ok' | 'down') => stage.client().sandbox.setFaults({ rpc, facilitator: 'ok' })
afterEach(async () => void (await faults('ok')))

const heal = async () => {
  await faults('ok')
  await stage.travel(180_000)
}

describe('while the chains cannot be reached', () => {
  test('a deposit is answered with 503 and nothing is written; the same call is good later', async () => {
    const buyer = await newBuyer(stage)
    const asked = await askPrice(stage, buyer, '/v1/tasks', withBounty)
    const payment = await signPayment(stage, asked.terms, buyer.wallet)
    await faults('down')
    const refused = await pay(stage, asked, payment)
    expect(outcomeOf(refused)).toBe('503 facilitator_unavailable')
    await faults('ok')
    const answer = await pay(stage, asked, payment)
    expect(answer.status).toBe(200)
    await until(
      () => task(String(answer.body.task_id)),
      ({ claimable }) => claimable,
    )
    expect(await timesPaid(stage.chain(), buyer.wallet.address)).toBe(1)
  })

  test('a release and a refund are promised, and kept later', async () => {
    const [buyer, worker] = [await newBuyer(stage), await newWorker(stage)]
    const [delivered, open] = [await deliveredTask(buyer, worker), await postEscrowed(buyer)]
    await faults('down')
    expect(await buyer.client.tasks.accept(delivered)).toMatchObject({ status: 'verified', payment_status: 'settling' })
    expect(await buyer.client.tasks.cancel(open)).toMatchObject({ status: 'cancelled', payment_status: 'settling' })
    await heal()
    expect(await task(delivered)).toMatchObject({ payment_status: 'settled', escrow: { status: 'released' } })
    expect(await task(open)).toMatchObject({ payment_status: 'refunded', escrow: { status: 'refunded' } })
    expect(await usdcOf(stage.chain(), worker.wallet.address)).toBe(5_000_000n)
    expect(await usdcOf(stage.chain(), buyer.wallet.address)).toBe(95_000_000n)
  })

  test('a deposit that is on its way stays so, whatever time passes, and is not given up', async () => {
    const buyer = await newBuyer(stage)
    await stage.client().sandbox.setFaults({ facilitator: 'settle_reverts' })
    const { task_id: id } = await buyer.client.tasks.post(withBounty)
    await faults('down')
    await stage.travel(2 * HOUR)
    expect(await task(id)).toMatchObject({ escrow: { status: 'funding' }, payment_status: 'settling' })
    await heal()
    expect(await task(id)).toMatchObject({ escrow: { status: 'unfunded' }, payment_status: 'expired' })
    expect(await usdcOf(stage.chain(), buyer.wallet.address)).toBe(100_000_000n)
  })

  test('reads go on, and the reserves say what is not known', async () => {
    await faults('down')
    expect((await stage.client().service.status()).payments).toBe('enabled')
    const { networks } = await stage.client().call('reserves')
    expect(networks.every(({ balance_atomic, block }) => balance_atomic === null && block === null)).toBe(true)
  })
})

describe('whoever carries an authorization out,', () => {
  test('a deposit counts, with the hash of the transaction that did it', async () => {
    const buyer = await newBuyer(stage)
    const asked = await askPrice(stage, buyer, '/v1/tasks', withBounty)
    const payment = await signPayment(stage, asked.terms, buyer.wallet)
    await stage.client().sandbox.setFaults({ facilitator: 'settle_reverts' })
    const { body } = await pay(stage, asked, payment)
    const id = String(body.task_id)
    expect(await task(id)).toMatchObject({ escrow: { status: 'funding' } })
    const hash = await carryOut(stage.chain(), payment.authorization, payment.signature)
    await stage.travel(180_000)
    expect(await task(id)).toMatchObject({ claimable: true, escrow: { status: 'funded', deposit_tx_hash: hash } })
  })

  test('money that comes without one is nobody’s deposit, and the reserves show it', async () => {
    const client = stage.client()
    const wallet = (await client.sandbox.info()).networks[0]?.escrow_wallet ?? ''
    // An answer about the reserves is good for a while.
    const reserves = async () => {
      const held = String(await usdcOf(stage.chain(), wallet))
      const look = async () => (await client.call('reserves')).networks[0]
      return until(look, (network) => network?.balance_atomic === held)
    }
    const before = await reserves()
    await stage.chain().mint(wallet as `0x${string}`, 1_000_000n)
    expect((await reserves())?.liabilities_atomic).toBe(before?.liabilities_atomic)
  })
})
