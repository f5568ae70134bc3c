import { DAY, HOUR } from '@guildhall/protocol'
import { expect, test } from 'vitest'
import { newBuyer } from './support/cast.ts'
import { askPrice, pay, signPayment } from './support/payments.ts'
import { outcomeOf, send, signed } from './support/raw.ts'
import { setStage } from './support/stage.ts'
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
