import { HOUR, MINUTE } from '@guildhall/protocol'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { newBuyer, newWorker, type Player } from './support/cast.ts'
import { setBlocked, usdcOf } from './support/chain-calls.ts'
import { atDesk } from './support/desk.ts'
import { BASE, setStage } from './support/stage.ts'
import { deliveredTask } from './support/tasks.ts'

const stage = setStage()
const paymentOf = async (id: string) => stage.client().call('getTaskPayment', { params: { id } })
const redirect = (id: string) => atDesk(stage, (desk) => desk.redirectPayout(id))

/** A release that waits because the token has blocked the deliverer's wallet. */
async function blockedRelease() {
  const [buyer, worker] = [await newBuyer(stage), await newWorker(stage)]
  const taskId = await deliveredTask(buyer, worker)
  await setBlocked(stage.chain(), worker.wallet.address, true)
  expect(await buyer.client.tasks.accept(taskId)).toMatchObject({ status: 'verified', payment_status: 'settling' })
  await stage.travel(20 * MINUTE)
  const waiting = await atDesk(stage, (desk) => desk.inbox(100))
  const id = waiting.find(({ text }) => text.includes(taskId))?.id ?? ''
  return { worker, taskId, id }
}

async function provenWallet(worker: Player) {
  const wallet = privateKeyToAccount(generatePrivateKey())
  await worker.client.wallet.prove(wallet, BASE)
  return { wallet, held: () => usdcOf(stage.chain(), wallet.address) }
}

test('a release to a blocked wallet goes where an operator sends it, once its old authorization is over', async () => {
  const { worker, taskId, id } = await blockedRelease()
  const { wallet, held } = await provenWallet(worker)
  expect(await redirect(id)).toMatchObject({ kind: 'redirected', to: wallet.address.toLowerCase() })
  await stage.travel(20 * MINUTE)
  expect((await paymentOf(taskId)).payment).toMatchObject({ pay_to: worker.wallet.address.toLowerCase() })
  expect(await held()).toBe(0n)
  await stage.travel(HOUR)
  await stage.travel(10 * MINUTE)
  const { payment, events } = await paymentOf(taskId)
  expect(payment).toMatchObject({ status: 'settled', pay_to: wallet.address.toLowerCase() })
  expect(events).toContainEqual(
    expect.objectContaining({
      event_type: 'payout_redirected',
      details: { from: worker.wallet.address.toLowerCase(), to: wallet.address.toLowerCase() },
    }),
  )
  expect([await held(), await usdcOf(stage.chain(), worker.wallet.address)]).toEqual([5_000_000n, 0n])
})

test('a redirected release that can be paid under its old authorization is paid there, and only there', async () => {
  const { worker, taskId, id } = await blockedRelease()
  const { held } = await provenWallet(worker)
  await redirect(id)
  await setBlocked(stage.chain(), worker.wallet.address, false)
  await stage.travel(10 * MINUTE)
  const pay_to = worker.wallet.address.toLowerCase()
  expect((await paymentOf(taskId)).payment).toMatchObject({ status: 'settled', pay_to })
  await stage.travel(3 * HOUR)
  expect((await paymentOf(taskId)).payment).toMatchObject({ status: 'settled', pay_to })
  expect([await held(), await usdcOf(stage.chain(), worker.wallet.address)]).toEqual([0n, 5_000_000n])
})

test('a release is redirected only while it waits, and only to another wallet that its deliverer has proven', async () => {
  const { worker, taskId, id } = await blockedRelease()
  expect(await redirect('tr_nobody')).toEqual({ kind: 'unknown' })
  expect(await redirect(id)).toEqual({ kind: 'no other wallet' })
  await worker.client.wallet.clear()
  expect(await redirect(id)).toEqual({ kind: 'no other wallet' })
  await setBlocked(stage.chain(), worker.wallet.address, false)
  await stage.travel(10 * MINUTE)
  expect((await paymentOf(taskId)).payment.status).toBe('settled')
  await provenWallet(worker)
  expect(await redirect(id)).toEqual({ kind: 'not waiting', state: 'settled' })
})
