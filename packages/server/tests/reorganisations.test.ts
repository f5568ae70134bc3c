import { describe, expect, test } from 'vitest'
import { give, newAgent, newBuyer, newWorker } from './support/cast.ts'
import { cancelAuthorization, mine, rpc, timesPaid, usdcOf } from './support/chain-calls.ts'
import { askPrice, pay, signPayment } from './support/payments.ts'
import { outcomeOf, send, signed } from './support/raw.ts'
import { refusalOf } from './support/refusals.ts'
import { BASE, setStage } from './support/stage.ts'
import { aBounty, aDelivery, aTask, claimAndDeliver, postEscrowed } from './support/tasks.ts'
import { until } from './support/until.ts'

/** A deposit counts in its first block and is final in its eighth. */
const stage = setStage({
  depths: { confirmations: 1, finality: 8 },
  settings: { GUILDHALL_SETTLE_IN_REQUEST_MS: '400' },
  alarms: ['the chain took a settled transfer back', 'a deposit is gone that was to be paid out'],
})
const task = async (id: string) => (await stage.client().tasks.get(id)).task
const spoil = (facilitator: 'ok' | 'settle_reverts') => stage.client().sandbox.setFaults({ facilitator })
const history = async (id: string) =>
  (await stage.client().tasks.payment(id)).events.map(({ event_type }) => event_type)

/** The blocks of these transactions and all later ones are replaced by empty ones. */
async function takeBack(...txHashes: readonly (string | null | undefined)[]): Promise<void> {
  const numbers = await Promise.all(
    txHashes.map((hash) => rpc<{ blockNumber: string }>(stage.chain(), 'eth_getTransactionReceipt', hash)),
  )
  const first = Math.min(...numbers.map(({ blockNumber }) => Number(blockNumber)))
  const head = await rpc<string>(stage.chain(), 'eth_blockNumber')
  await rpc(stage.chain(), 'anvil_reorg', Number(head) - first + 1, [])
}

async function takeDepositsBack(...ids: readonly string[]): Promise<void> {
  const tasks = await Promise.all(ids.map(task))
  await takeBack(...tasks.map(({ escrow }) => escrow?.deposit_tx_hash))
}

const escrowIs = (id: string, status: string) =>
  until(
    () => task(id),
    ({ escrow }) => escrow?.status === status,
  )

async function funded(more: Parameters<typeof postEscrowed>[1] = {}) {
  const [buyer, worker] = [await newBuyer(stage), await newWorker(stage)]
  const id = await postEscrowed(buyer, more)
  await escrowIs(id, 'funded')
  return { buyer, worker, id }
}

/** The chain takes the deposit back, and its authorization runs out before it comes again. */
async function takeDepositBackForGood(id: string): Promise<void> {
  await spoil('settle_reverts')
  await takeDepositsBack(id)
  await until(
    () => history(id),
    (kinds) => kinds.includes('settlement_undone'),
  )
  await stage.travel(2 * 3_600_000)
  await mine(stage.chain(), 10)
  await stage.travel(60_000)
}

describe('a deposit that the chain takes back', () => {
  test('is taken back here too, and settled again with the same authorization', async () => {
    const juggler = await newAgent(stage, { capabilities: ['juggling'] })
    const { buyer, worker, id } = await funded({ required_capabilities: ['juggling'] })
    const first = (await task(id)).escrow?.deposit_tx_hash
    await spoil('settle_reverts')
    await takeDepositsBack(id)
    const undone = await escrowIs(id, 'funding')
    expect(undone).toMatchObject({ claimable: false, payment_status: 'settling', escrow: { deposit_tx_hash: null } })
    expect(await usdcOf(stage.chain(), buyer.wallet.address)).toBe(100_000_000n)
    expect(await stage.askOracle()).toEqual([])
    await refusalOf(worker.client.tasks.claim(id), 'escrow_not_funded')
    await spoil('ok')
    await stage.travel(60_000)
    const again = await escrowIs(id, 'funded')
    expect(again.claimable).toBe(true)
    expect(again.escrow?.deposit_tx_hash).not.toBe(first)
    expect((await juggler.client.events.list()).events).toMatchObject([{ type: 'task.available', ref_id: id }])
    expect(await timesPaid(stage.chain(), buyer.wallet.address)).toBe(1)
    const kinds = (await history(id)).filter((kind) => kind !== 'settle_pending')
    expect(kinds).toEqual(['bounty_declared', 'authorized', 'escrow_funded', 'settlement_undone', 'escrow_funded'])
    expect((await buyer.client.events.list({ type: 'task.escrow_funded' })).events).toHaveLength(2)
    expect(stage.alarms.some((alarm) => alarm.startsWith('the chain took a settled transfer back'))).toBe(true)
  })

  test('during the work keeps the acceptance waiting, and pays once it is there again', async () => {
    const { buyer, worker, id } = await funded()
    await claimAndDeliver(worker, id)
    await spoil('settle_reverts')
    await takeDepositsBack(id)
    await escrowIs(id, 'funding')
    expect(await task(id)).toMatchObject({ status: 'submitted' })
    await refusalOf(buyer.client.tasks.accept(id), 'settlement_in_progress')
    await spoil('ok')
    await stage.travel(60_000)
    await escrowIs(id, 'funded')
    expect(await buyer.client.tasks.accept(id)).toMatchObject({ status: 'verified' })
    await mine(stage.chain(), 10)
    await stage.travel(60_000)
    await escrowIs(id, 'released')
    expect(await usdcOf(stage.chain(), worker.wallet.address)).toBe(5_000_000n)
  })

  test('for good is never paid from what others have deposited', async () => {
    const { buyer, worker, id } = await funded()
    await claimAndDeliver(worker, id)
    await spoil('settle_reverts')
    await takeDepositsBack(id)
    await escrowIs(id, 'funding')
    await stage.travel(2 * 3_600_000)
    await mine(stage.chain(), 10)
    await stage.travel(60_000)
    await escrowIs(id, 'unfunded')
    await spoil('ok')
    await refusalOf(buyer.client.tasks.accept(id), 'invalid_state')
    await stage.travel(8 * 86_400_000)
    expect(await task(id)).toMatchObject({ status: 'submitted', payment_status: 'expired' })
    expect(await usdcOf(stage.chain(), worker.wallet.address)).toBe(0n)
    await buyer.client.tasks.dispute(id, { reason: 'There is nothing to pay with.' })
    expect(await buyer.client.tasks.cancel(id)).toMatchObject({ status: 'cancelled', payment_status: 'expired' })
    expect(await worker.client.call('getClaimBudget')).toMatchObject({ disputes: 0 })
  })

  test('for good is made up for while the work goes on, and paid as any other', async () => {
    const { buyer, worker, id } = await funded()
    await worker.client.tasks.claim(id)
    await refusalOf(buyer.client.tasks.fund(id), 'invalid_state')
    await spoil('settle_reverts')
    await takeDepositsBack(id)
    await escrowIs(id, 'funding')
    await refusalOf(buyer.client.tasks.fund(id), 'settlement_in_progress')
    await stage.travel(2 * 3_600_000)
    await mine(stage.chain(), 10)
    await stage.travel(60_000)
    await escrowIs(id, 'unfunded')
    await spoil('ok')
    await worker.client.tasks.deliver(id, aDelivery)
    expect(await buyer.client.tasks.fund(id)).toMatchObject({ status: 'submitted', claimable: false })
    await escrowIs(id, 'funded')
    await mine(stage.chain(), 10)
    await buyer.client.tasks.accept(id)
    await stage.travel(60_000)
    await escrowIs(id, 'released')
    expect(await usdcOf(stage.chain(), worker.wallet.address)).toBe(5_000_000n)
  })

  test('after the dispute was lost, and for good, no longer counts against the deliverer', async () => {
    const { buyer, worker, id } = await funded()
    await claimAndDeliver(worker, id)
    await buyer.client.tasks.dispute(id, { reason: 'It counts to nine.' })
    expect(await buyer.client.tasks.cancel(id)).toMatchObject({ status: 'cancelled' })
    expect(await worker.client.call('getClaimBudget')).toMatchObject({ disputes: 1 })
    await takeDepositBackForGood(id)
    await escrowIs(id, 'unfunded')
    expect(await worker.client.call('getClaimBudget')).toMatchObject({ disputes: 0 })
    await spoil('ok')
  })

  test('after the acceptance, and for good, raises an alarm and pays nobody', async () => {
    const { buyer, worker, id } = await funded()
    await claimAndDeliver(worker, id)
    expect(await buyer.client.tasks.accept(id)).toMatchObject({ status: 'verified', payment_status: 'settling' })
    await takeDepositBackForGood(id)
    const gone = await escrowIs(id, 'unfunded')
    expect(gone).toMatchObject({ status: 'verified', payment_status: 'expired' })
    expect(await usdcOf(stage.chain(), worker.wallet.address)).toBe(0n)
    expect(stage.alarms.some((alarm) => alarm.startsWith('a deposit is gone'))).toBe(true)
    await spoil('ok')
  })
})

describe('a payout waits until its deposit is final', () => {
  test('a release', async () => {
    const { buyer, worker, id } = await funded()
    await claimAndDeliver(worker, id)
    expect(await buyer.client.tasks.accept(id)).toMatchObject({ status: 'verified', payment_status: 'settling' })
    await mine(stage.chain(), 5)
    await stage.runDue()
    expect(await task(id)).toMatchObject({ escrow: { status: 'releasing', release_tx_hash: null } })
    expect(await usdcOf(stage.chain(), worker.wallet.address)).toBe(0n)
    await mine(stage.chain(), 2)
    await stage.travel(60_000)
    await escrowIs(id, 'released')
    expect(await usdcOf(stage.chain(), worker.wallet.address)).toBe(5_000_000n)
  })

  test('a refund, right after posting', async () => {
    const { buyer, id } = await funded()
    expect(await buyer.client.tasks.cancel(id)).toMatchObject({ status: 'cancelled', escrow: { status: 'refunding' } })
    await mine(stage.chain(), 10)
    await stage.travel(60_000)
    await escrowIs(id, 'refunded')
    expect(await usdcOf(stage.chain(), buyer.wallet.address)).toBe(100_000_000n)
  })
})

test('a refund whose deposit is taken back goes on when the deposit is there again', async () => {
  const { buyer, id } = await funded()
  await spoil('settle_reverts')
  await buyer.client.tasks.cancel(id)
  await takeDepositsBack(id)
  await until(
    () => history(id),
    (kinds) => kinds.includes('settlement_undone'),
  )
  expect(await task(id)).toMatchObject({ escrow: { status: 'refunding', deposit_tx_hash: null } })
  await spoil('ok')
  await stage.travel(60_000)
  await mine(stage.chain(), 10)
  await stage.travel(60_000)
  await escrowIs(id, 'refunded')
  expect(await usdcOf(stage.chain(), buyer.wallet.address)).toBe(100_000_000n)
  expect(await stage.askOracle()).toEqual([])
})

test('a bond that is taken back was not there to be withdrawn, and is there in full when it comes again', async () => {
  const worker = await newWorker(stage)
  await give(stage, worker.wallet.address, '10')
  const asked = await askPrice(stage, worker, '/v1/agents/me/claim-bond', { slots: 2 })
  const payment = await signPayment(stage, asked.terms, worker.wallet)
  await pay(stage, asked, payment)
  const bond = async () => (await worker.client.agents.claimBudget()).bond_balance_atomic
  await until(bond, (atomic) => atomic === '2000000')
  await spoil('settle_reverts')
  const withdrawal = { amount_atomic: '1000000' }
  const asking = signed(stage, worker, 'POST', '/v1/agents/me/claim-bond/withdraw', withdrawal)
  expect(outcomeOf(await send(stage, asking))).toBe('200')
  const { from: payer, nonce } = payment.authorization
  await takeBack((await stage.client().payments.outcome({ network: BASE, payer, nonce })).tx_hash)
  await until(bond, (atomic) => atomic === '0')
  expect(await stage.askOracle()).toEqual([])
  await spoil('ok')
  await stage.travel(60_000)
  await until(bond, (atomic) => atomic === '2000000')
  await mine(stage.chain(), 10)
  await stage.travel(60_000)
  expect(await usdcOf(stage.chain(), worker.wallet.address)).toBe(8_000_000n)
  expect(await stage.askOracle()).toEqual([])
})

test('a release that the chain takes back is made again, once', async () => {
  const { buyer, worker, id } = await funded()
  await claimAndDeliver(worker, id)
  await mine(stage.chain(), 10)
  await stage.travel(5_000)
  await buyer.client.tasks.accept(id)
  await until(
    () => task(id),
    ({ escrow }) => escrow?.status === 'released',
  )
  await takeBack((await task(id)).escrow?.release_tx_hash)
  await until(
    () => history(id),
    (kinds) => kinds.includes('settlement_undone'),
  )
  await stage.travel(60_000)
  await escrowIs(id, 'released')
  expect(await usdcOf(stage.chain(), worker.wallet.address)).toBe(5_000_000n)
  expect((await worker.client.events.list({ type: 'task.payment_settled' })).events).toHaveLength(2)
})

test('an authorization that its payer has cancelled is given up when the cancellation is final, not before', async () => {
  const buyer = await newBuyer(stage)
  await spoil('settle_reverts')
  const asked = await askPrice(stage, buyer, '/v1/tasks', { ...aTask, bounty: aBounty() })
  const payment = await signPayment(stage, asked.terms, buyer.wallet)
  const id = String((await pay(stage, asked, payment)).body.task_id)
  await cancelAuthorization(stage.chain(), buyer.wallet, payment.authorization.nonce)
  await spoil('ok')
  await stage.travel(60_000)
  expect(await task(id)).toMatchObject({ escrow: { status: 'funding' }, claimable: false })
  await mine(stage.chain(), 8)
  await stage.travel(60_000)
  expect(await task(id)).toMatchObject({ escrow: { status: 'unfunded' }, payment_status: 'expired' })
})

test('several deposits that are taken back together all come again, once each', async () => {
  const buyer = await newBuyer(stage)
  const posts = await Promise.all([1, 2, 3].map(() => buyer.client.tasks.post({ ...aTask, bounty: aBounty() })))
  for (const { task_id } of posts) await escrowIs(task_id, 'funded')
  await spoil('settle_reverts')
  await takeDepositsBack(...posts.map(({ task_id }) => task_id))
  for (const { task_id } of posts) await escrowIs(task_id, 'funding')
  await spoil('ok')
  await stage.travel(60_000)
  for (const { task_id } of posts) await escrowIs(task_id, 'funded')
  expect(await usdcOf(stage.chain(), buyer.wallet.address)).toBe(85_000_000n)
})
