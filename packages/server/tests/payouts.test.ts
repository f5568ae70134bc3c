import { exitNonce, HOUR } from '@guildhall/protocol'
import { describe, expect, test } from 'vitest'
import { newBuyer, newWorker } from './support/cast.ts'
import { carryOut, signTransfer, usdcOf } from './support/chain-calls.ts'
import { askPrice, pay, signPayment } from './support/payments.ts'
import { refusalOf } from './support/refusals.ts'
import { setStage } from './support/stage.ts'
import { aBounty, aDelivery, aTask, claimAndDeliver, deliveredTask } from './support/tasks.ts'
import { until } from './support/until.ts'

const stage = setStage({
  settings: { GUILDHALL_MAX_PAYOUT_USDC: '50' },
  alarms: [
    'a payout was superseded on chain',
    'money left the escrow wallet',
    'money is missing from the escrow wallet',
  ],
  violations: ['I1', 'I3'],
})
const task = async (id: string) => (await stage.client().tasks.get(id)).task

async function cast() {
  const [buyer, worker] = [await newBuyer(stage, { usdc: '1000' }), await newWorker(stage)]
  const paid = () => usdcOf(stage.chain(), worker.wallet.address)
  return { buyer, worker, paid }
}

test('a bounty larger than any payout is not taken into escrow, but can be paid at acceptance', async () => {
  const { buyer } = await cast()
  const message = 'A bounty in escrow is at most 50.00 USDC.'
  const posted = buyer.client.tasks.post({ ...aTask, bounty: aBounty(51) })
  expect((await refusalOf(posted, 'bad_request')).message).toContain(message)
  const hire = { method: 'POST', body: JSON.stringify({ title: 'Count', description: 'To ten.', bounty_usdc: '51' }) }
  const headers = { 'content-type': 'application/json' }
  const hired = await fetch(`${stage.node().url}/v1/x402/tasks`, { ...hire, headers })
  expect([hired.status, await hired.json()]).toMatchObject([400, { error: 'bad_request', message }])
  expect(await buyer.client.tasks.post({ ...aTask, bounty: aBounty(51), escrow: false })).toMatchObject({ ok: true })
})

test('a payout that is larger than the key may sign by now waits for a person', async () => {
  const { buyer, worker, paid } = await cast()
  const before = await stage.startNode({ GUILDHALL_ROLE: 'api', GUILDHALL_MAX_PAYOUT_USDC: '1000' })
  const { task_id: id } = await buyer.with({ baseUrl: before.url }).tasks.post({ ...aTask, bounty: aBounty(51) })
  await stage.stopNode(before)
  await claimAndDeliver(worker, id)
  expect(await buyer.client.tasks.accept(id)).toMatchObject({ payment_status: 'settling' })
  await stage.travel(180_000)
  expect(await task(id)).toMatchObject({ escrow: { status: 'releasing' } })
  expect(await paid()).toBe(0n)
})

test('a public node needs no escrow key: it takes deposits, and other nodes pay out', async () => {
  const wallet = stage.escrow.address
  const keyless = await stage.startNode({
    GUILDHALL_ROLE: 'api',
    GUILDHALL_ESCROW_KEY: '',
    GUILDHALL_ESCROW_WALLET: wallet,
  })
  const { buyer, worker, paid } = await cast()
  const there = (player: typeof buyer) => player.with({ baseUrl: keyless.url }).tasks
  const { task_id: id, claimable } = await there(buyer).post({ ...aTask, bounty: aBounty(5) })
  expect(claimable).toBe(true)
  await there(worker).claim(id)
  await there(worker).deliver(id, aDelivery)
  await there(buyer).accept(id, {})
  await until(paid, (amount) => amount === 5_000_000n)
  await until(
    () => task(id),
    ({ escrow }) => escrow?.status === 'released',
  )
  expect((await stage.client().call('getTaskPayment', { params: { id } })).events).not.toContainEqual(
    expect.objectContaining({ event_type: 'settle_failed' }),
  )
  await stage.stopNode(keyless)
})

describe('a payout leaves once', () => {
  test('although its signature ran out unsent and was made anew', async () => {
    const { buyer, worker, paid } = await cast()
    const id = await deliveredTask(buyer, worker)
    await buyer.client.sandbox.setFaults({ facilitator: 'settle_reverts' })
    await buyer.client.tasks.accept(id)
    await stage.travel(3 * HOUR)
    expect(await task(id)).toMatchObject({ escrow: { status: 'releasing' } })
    await buyer.client.sandbox.setFaults({ facilitator: 'ok' })
    await stage.travel(180_000)
    expect(await task(id)).toMatchObject({ payment_status: 'settled' })
    expect(await paid()).toBe(5_000_000n)
  })

  test('because a deposit has one exit: if its money left in another transaction, it is not paid again, the task says why, and an alarm is raised', async () => {
    const { buyer, worker, paid } = await cast()
    const asked = await askPrice(stage, buyer, '/v1/tasks', { ...aTask, bounty: aBounty() })
    const { authorization, header } = await signPayment(stage, asked.terms, buyer.wallet)
    const id = String((await pay(stage, asked, { header })).body.task_id)
    await claimAndDeliver(worker, id)
    const escrow = stage.escrow
    const { network, asset } = asked.terms
    const refund = {
      from: escrow.address,
      to: buyer.wallet.address,
      value: 5_000_000n,
      validAfter: 0n,
      validBefore: 2n ** 40n,
      nonce: exitNonce({ network, asset, from: authorization.from, nonce: authorization.nonce }),
    }
    await carryOut(stage.chain(), refund, await signTransfer(stage.chain(), escrow, refund))
    expect(await buyer.client.tasks.accept(id)).toMatchObject({ status: 'verified', payment_status: 'settling' })
    await stage.travel(180_000)
    expect(await paid()).toBe(0n)
    expect(await task(id)).toMatchObject({
      escrow: { settle_error: expect.stringContaining('spent on another transfer') },
    })
    expect(stage.alarms.filter((alarm) => alarm.startsWith('a payout was superseded'))).toHaveLength(1)
    const said = await stage.askOracle()
    expect(said.map(({ invariant }) => invariant.slice(0, 2))).toEqual(['I1', 'I3'])
  })
})
