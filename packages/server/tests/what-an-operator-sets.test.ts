import { DAY, HOUR } from '@guildhall/protocol'
import { expect, test } from 'vitest'
import { newBuyer, newWorker } from './support/cast.ts'
import { mine, usdcOf } from './support/chain-calls.ts'
import { hirePrice, newHirer, unsigned } from './support/hires.ts'
import { nodeEnvironment } from './support/node-environment.ts'
import { signPayment } from './support/payments.ts'
import { outcomeOf, send } from './support/raw.ts'
import { refusalOf } from './support/refusals.ts'
import { ALL_NETWORKS, POLYGON, setStage } from './support/stage.ts'
import { aBounty, aTask, claimAndDeliver, deliveredTask, postFree } from './support/tasks.ts'
import { until } from './support/until.ts'

const NOT_SERVED = 'money lies on a network that is not served'

const depths = { confirmations: 1, finality: 1, large_usdc: '20', large_finality: 6 }

const stage = setStage({
  networks: ALL_NETWORKS,
  depths,
  settings: {
    GUILDHALL_NEW_POSTER_EXPIRY_CAP_DAYS: '10',
    GUILDHALL_CLAIM_BUDGET_BASE: '3',
    GUILDHALL_CLAIM_BUDGET_PER_ACCEPTED: '2',
    GUILDHALL_CLAIM_BUDGET_PER_EXPIRED: '4',
    GUILDHALL_CLAIM_BUDGET_FLOOR: '1',
    GUILDHALL_CLAIM_BUDGET_MAX: '6',
    GUILDHALL_SETTLE_IN_REQUEST_MS: '1000',
  },
  alarms: [NOT_SERVED],
})

test('a large amount waits for more blocks before it leaves again, a small one does not', async () => {
  const [buyer, worker] = [await newBuyer(stage), await newWorker(stage)]
  const small = await deliveredTask(buyer, worker, { bounty: { ...aBounty(), amount: '19999999' } })
  await buyer.client.tasks.accept(small)
  await until(
    () => buyer.client.tasks.get(small),
    ({ task }) => task.payment_status === 'settled',
  )
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

test('a task that names no window is open for 60 days, or as long as its poster may leave it open', async () => {
  const poster = await newBuyer(stage)
  const daysOf = async (id: string) => (await poster.client.tasks.get(id)).task.expires_in_days
  expect(await daysOf(await postFree(poster))).toBe(10)
  const { task_id } = await poster.client.tasks.post({ ...aTask, bounty: aBounty() })
  expect(await daysOf(task_id)).toBe(10)
  const hire = unsigned('/v1/x402/tasks/usd-1', aTask)
  const { header } = await signPayment(stage, (await hirePrice(stage, hire)).terms, await newHirer(stage))
  const { body } = await send(stage, { ...hire, headers: { ...hire.headers, 'PAYMENT-SIGNATURE': header } })
  expect(await daysOf(String(body.task_id))).toBe(10)
  await stage.travel(30 * DAY)
  expect(await daysOf(await postFree(poster))).toBe(60)
})

/** All but Polygon, as settings have it. */
function otherNetworks(): string {
  const { GUILDHALL_NETWORKS = '[]' } = nodeEnvironment(stage.parts, { port: 0, dataDir: '', depths, settings: {} })
  return JSON.stringify(
    JSON.parse(GUILDHALL_NETWORKS).filter(({ network }: { network: string }) => network !== POLYGON),
  )
}

test('money on a network that is served no longer stays where it is, operators are told, and it leaves when it is served again', async () => {
  const [buyer, worker] = [await newBuyer(stage, { network: POLYGON }), await newWorker(stage)]
  await deliveredTask(buyer, worker, { bounty: aBounty(5, POLYGON) })
  const paid = () => usdcOf(stage.chain(POLYGON), worker.wallet.address)
  await stage.stopNode(stage.node())
  expect(stage.alarms).toEqual([])
  const without = await stage.startNode({ GUILDHALL_NETWORKS: otherNetworks() })
  expect(stage.alarms).toEqual([`${NOT_SERVED} {"network":"${POLYGON}","payments":0,"owed_atomic":"5000000"}`])
  await stage.travel(8 * DAY)
  expect(await paid()).toBe(0n)
  await stage.stopNode(without)
  await stage.startNode()
  await stage.travel(60_000)
  expect(await paid()).toBe(5_000_000n)
})

test('a minimum that rises later does not touch what was posted before', async () => {
  const [buyer, worker] = [await newBuyer(stage), await newWorker(stage)]
  const declared = await postFree(buyer, { bounty: aBounty(), escrow: false })
  await claimAndDeliver(worker, declared)
  await buyer.client.sandbox.setFaults({ facilitator: 'settle_reverts' })
  const { task_id: unfunded } = await buyer.client.tasks.post({ ...aTask, bounty: aBounty() })
  await stage.travel(2 * HOUR)
  await buyer.client.sandbox.setFaults({ facilitator: 'ok' })
  const dearer = await stage.startNode({ GUILDHALL_MIN_BOUNTY_USDC: '6', GUILDHALL_SETTLE_IN_REQUEST_MS: '30000' })
  try {
    const there = buyer.with({ node: 1 })
    await refusalOf(there.tasks.post({ ...aTask, bounty: aBounty() }), 'bounty_below_minimum')
    expect(await there.tasks.accept(declared)).toMatchObject({ payment_status: 'settled' })
    expect(await there.tasks.fund(unfunded)).toMatchObject({ claimable: true })
  } finally {
    await stage.stopNode(dearer)
  }
})

test('a network that workers alone serve takes no more bounties, and what lies there is paid out', async () => {
  const [buyer, worker] = [await newBuyer(stage, { network: POLYGON }), await newWorker(stage)]
  const id = await deliveredTask(buyer, worker, { bounty: aBounty(5, POLYGON) })
  const alarms = stage.alarms.length
  await stage.stopNode(stage.node())
  await stage.startNode({ GUILDHALL_ROLE: 'api', GUILDHALL_NETWORKS: otherNetworks() })
  await stage.startNode({ GUILDHALL_ROLE: 'worker' })
  expect(stage.alarms).toHaveLength(alarms)
  const there = buyer.with({ node: 0, clock: () => stage.node().service.world.clock.now() })
  await refusalOf(there.tasks.post({ ...aTask, bounty: aBounty(5, POLYGON) }), 'bounty_unsupported_network')
  await there.tasks.accept(id)
  await until(
    () => usdcOf(stage.chain(POLYGON), worker.wallet.address),
    (paid) => paid === 5_000_000n,
  )
})
