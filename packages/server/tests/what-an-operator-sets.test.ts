import { DAY } from '@guildhall/protocol'
import { expect, test } from 'vitest'
import { newBuyer, newWorker } from './support/cast.ts'
import { mine, usdcOf } from './support/chain-calls.ts'
import { hirePrice, unsigned } from './support/hires.ts'
import { outcomeOf, send } from './support/raw.ts'
import { refusalOf } from './support/refusals.ts'
import { setStage } from './support/stage.ts'
import { aBounty, aTask, claimAndDeliver, deliveredTask, postFree } from './support/tasks.ts'

const stage = setStage({
  depths: { confirmations: 1, finality: 1, large_usdc: '20', large_finality: 6 },
  settings: {
    GUILDHALL_NEW_POSTER_EXPIRY_CAP_DAYS: '10',
    GUILDHALL_CLAIM_BUDGET_BASE: '3',
    GUILDHALL_CLAIM_BUDGET_PER_ACCEPTED: '2',
    GUILDHALL_CLAIM_BUDGET_PER_EXPIRED: '4',
    GUILDHALL_CLAIM_BUDGET_FLOOR: '1',
    GUILDHALL_CLAIM_BUDGET_MAX: '6',
    GUILDHALL_SETTLE_IN_REQUEST_MS: '1000',
  },
})

test('a large amount waits for more blocks before it leaves again, a small one does not', async () => {
  const [buyer, worker] = [await newBuyer(stage), await newWorker(stage)]
  const small = await deliveredTask(buyer, worker, { bounty: { ...aBounty(), amount: '19999999' } })
  expect(await buyer.client.tasks.accept(small)).toMatchObject({ payment_status: 'settled' })
  const large = await deliveredTask(buyer, worker, { bounty: aBounty(20) })
  expect(await buyer.client.tasks.accept(large)).toMatchObject({ payment_status: 'settling' })
  expect(await usdcOf(stage.chain(), worker.wallet.address)).toBe(19_999_999n)
  await mine(stage.chain(), 6)
  // Once for the deposit to be seen as final, once for the payout that waits for it.
  for (let look = 0; look < 2; look++) await stage.travel(60_000)
  expect(await usdcOf(stage.chain(), worker.wallet.address)).toBe(39_999_999n)
})

test('the claim budget is what the operator makes it', async () => {
  const [buyer, worker] = [await newBuyer(stage), await newWorker(stage)]
  const budget = () => worker.client.agents.claimBudget()
  expect(await budget()).toMatchObject({ budget: 3, base: 3 })
  for (let nr = 0; nr < 3; nr++) {
    const id = await postFree(buyer)
    await claimAndDeliver(worker, id)
    await buyer.client.tasks.accept(id)
    expect(await budget()).toMatchObject({ budget: [5, 6, 6][nr] })
  }
  for (let nr = 0; nr < 3; nr++) await worker.client.tasks.claim(await postFree(buyer))
  await stage.travel(7 * DAY)
  expect(await budget()).toMatchObject({ budget: 1, expired_claims: 3 })
  await worker.client.tasks.claim(await postFree(buyer))
  await refusalOf(worker.client.tasks.claim(await postFree(buyer)), 'claim_budget_exhausted')
})

test('a poster that is new, and every wallet, may leave a task open for less long', async () => {
  const poster = await newBuyer(stage)
  const refused = await refusalOf(
    poster.client.tasks.post({ ...aTask, expires_in_days: 11 }),
    'expiry_window_not_allowed',
  )
  expect(refused.fields.max_days).toBe(10)
  await poster.client.tasks.post({ ...aTask, expires_in_days: 10 })
  const hire = (expires_in_days: number) => unsigned('/v1/x402/tasks/usd-1', { ...aTask, expires_in_days })
  await hirePrice(stage, hire(10))
  expect(outcomeOf(await send(stage, hire(11)))).toBe('400 expiry_window_not_allowed')
  await stage.travel(30 * DAY)
  await poster.client.tasks.post({ ...aTask, expires_in_days: 90 })
})
