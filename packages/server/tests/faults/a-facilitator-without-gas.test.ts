import { MINUTE } from '@guildhall/protocol'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { runDue } from '../../src/actions/run-due.ts'
import { newBuyer, newWorker } from '../support/cast.ts'
import { rpc, usdcOf } from '../support/chain-calls.ts'
import { setFacilitatorStage } from '../support/facilitator-stage.ts'
import { askPrice, pay, signPayment } from '../support/payments.ts'
import { aBounty, aTask, deliveredTask } from '../support/tasks.ts'

const { stage, facilitator } = setFacilitatorStage()

const withBounty = { ...aTask, bounty: aBounty() }
const task = async (id: string) => (await stage.client().tasks.get(id)).task

test('a facilitator without gas is asked now and then, not all the time; what it cannot send in time is dead', async () => {
  const gas = privateKeyToAccount(stage.parts.keys.gas).address
  const full = await rpc<string>(stage.chain(), 'eth_getBalance', gas, 'latest')
  const [buyer, worker] = [await newBuyer(stage), await newWorker(stage)]
  const released = await deliveredTask(buyer, worker)
  await rpc(stage.chain(), 'anvil_setBalance', gas, '0x0')
  await buyer.client.tasks.accept(released)
  const asked = await askPrice(stage, buyer, '/v1/tasks', withBounty)
  const validBefore = BigInt(Math.floor(stage.now() / 1000) + 12 * 60)
  const payment = await signPayment(stage, asked.terms, buyer.wallet, { authorization: { validBefore } })
  // An honest one would not even verify it.
  facilitator().lie({ verify: { status: 200, body: JSON.stringify({ isValid: true, payer: buyer.wallet.address }) } })
  const id = String((await pay(stage, asked, payment)).body.task_id)
  facilitator().lie({})
  const before = facilitator().settles()
  const MINUTES = 8
  for (let minute = 0; minute < MINUTES; minute++) {
    await stage.moveClocks(MINUTE)
    await runDue(stage.node().service.world)
  }
  expect(await task(id)).toMatchObject({ escrow: { status: 'funding' } })
  // Two payments wait, each with pauses of half a minute to a minute.
  expect(facilitator().settles() - before).toBeGreaterThan(0)
  expect(facilitator().settles() - before).toBeLessThan(2 * 2 * MINUTES + 10)
  await stage.travel(10 * MINUTE)
  expect(await task(id)).toMatchObject({ escrow: { status: 'unfunded' } })
  expect(await task(released)).toMatchObject({ escrow: { status: 'releasing' } })
  await rpc(stage.chain(), 'anvil_setBalance', gas, full)
  await stage.travel(3 * MINUTE)
  expect(await task(released)).toMatchObject({ escrow: { status: 'released' } })
  expect(await usdcOf(stage.chain(), worker.wallet.address)).toBe(5_000_000n)
})
