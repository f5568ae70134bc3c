import { DAY, HOUR } from '@guildhall/protocol'
import { describe, expect, test } from 'vitest'
import { newBuyer } from './support/cast.ts'
import { carryOut } from './support/chain-calls.ts'
import { askPrice, pay, signPayment } from './support/payments.ts'
import { outcomeOf, send, signed } from './support/raw.ts'
import { BASE, setStage } from './support/stage.ts'
import { aBounty, aTask } from './support/tasks.ts'

/** Nothing happens by itself until the story says so. */
const stage = setStage({ settings: { GUILDHALL_ROLE: 'api', GUILDHALL_SETTLE_IN_REQUEST_MS: '100' } })

test('no price is asked for a task whose window has ended, although its timer has not run yet', async () => {
  const buyer = await newBuyer(stage)
  const asked = await askPrice(stage, buyer, '/v1/tasks', { ...aTask, bounty: aBounty(), expires_in_days: 1 })
  await stage.client().sandbox.setFaults({ facilitator: 'settle_reverts' })
  const { body } = await pay(stage, asked, await signPayment(stage, asked.terms, buyer.wallet))
  await stage.travel(2 * HOUR)
  await stage.client().sandbox.setFaults({ facilitator: 'ok' })
  const fund = () => send(stage, signed(stage, buyer, 'POST', `/v1/tasks/${body.task_id}/fund`))
  expect(outcomeOf(await fund())).toMatch(/^402 /)

  await stage.moveClocks(DAY)
  const task = await stage.node().service.world.store.task(String(body.task_id))
  expect(task).toMatchObject({ status: 'open', escrow: { status: 'unfunded' } })
  const refused = await fund()
  expect(outcomeOf(refused)).toBe('409 invalid_state')
  expect(refused.body.status).toBe('expired')
})

describe('a task that was still funding when its window ended expires as soon as the deposit is known', () => {
  async function stillFunding() {
    const buyer = await newBuyer(stage)
    const asked = await askPrice(stage, buyer, '/v1/tasks', { ...aTask, bounty: aBounty(), expires_in_days: 1 })
    await stage.client().sandbox.setFaults({ facilitator: 'settle_reverts' })
    const payment = await signPayment(stage, asked.terms, buyer.wallet)
    const { body } = await pay(stage, asked, payment)
    await stage.client().sandbox.setFaults({ facilitator: 'ok' })
    expect(body).toMatchObject({ status: 'open', escrow: { status: 'funding' } })
    return { payment, task: async () => (await stage.client().tasks.get(String(body.task_id))).task }
  }

  test('when it never comes', async () => {
    const { task } = await stillFunding()
    await stage.travel(DAY + HOUR)
    expect(await task()).toMatchObject({
      status: 'expired',
      payment_status: 'expired',
      escrow: { status: 'unfunded' },
    })
  })

  test('when it has come: it is refunded', async () => {
    const { payment, task } = await stillFunding()
    await carryOut(stage.chain(BASE), payment.authorization, payment.signature)
    await stage.travel(DAY + HOUR)
    expect(await task()).toMatchObject({
      status: 'expired',
      payment_status: 'refunded',
      escrow: { status: 'refunded' },
    })
  })
})
