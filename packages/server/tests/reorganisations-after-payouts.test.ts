import { expect, test } from 'vitest'
import { give, newBuyer, newWorker } from './support/cast.ts'
import {
  cancelAuthorization,
  carryOut,
  mine,
  rpc,
  STRANGER,
  sendPlainly,
  timesPaid,
  usdcOf,
} from './support/chain-calls.ts'
import { atDesk } from './support/desk.ts'
import { askPrice, pay, signPayment } from './support/payments.ts'
import { BASE, setStage } from './support/stage.ts'
import { claimAndDeliver, deliveredTask, postEscrowed } from './support/tasks.ts'
import { until } from './support/until.ts'

/** An account with gas that every local node can send from. */

/** Money may leave after one block, as in the sandbox, and is watched for long after that. */
const stage = setStage({
  depths: { confirmations: 1, finality: 1, reorg_depth: 32 },
  alarms: [
    'the chain took a settled transfer back',
    'the chain took blocks back that were to stay',
    'the house stands in for what the escrow wallet owes',
  ],
})
const task = async (id: string) => (await stage.client().tasks.get(id)).task
const escrowIs = (id: string, status: string) =>
  until(
    () => task(id),
    ({ escrow }) => escrow?.status === status,
  )
const reorganise = (blocks: number) => rpc(stage.chain(), 'anvil_reorg', blocks, [])
const blocksSince = async (txHash: string | null | undefined) => {
  const { blockNumber } = await rpc<{ blockNumber: string }>(stage.chain(), 'eth_getTransactionReceipt', txHash)
  return Number(await rpc<string>(stage.chain(), 'eth_blockNumber')) - Number(blockNumber) + 1
}

/** A look at the wallet finds nothing missing, and payouts go on. */
async function expectBalanced(): Promise<void> {
  await stage.travel(61_000)
  await stage.travel(61_000)
  expect(await stage.askOracle()).toEqual([])
  expect(await stage.client().call('reserves')).toMatchObject({ payouts: 'running' })
}

test('a reorg that takes a deposit back takes `funded` back, though its money could have left', async () => {
  const buyer = await newBuyer(stage)
  const id = await postEscrowed(buyer)
  const first = (await escrowIs(id, 'funded')).escrow?.deposit_tx_hash
  await stage.client().sandbox.setFaults({ facilitator: 'settle_reverts' })
  await reorganise(await blocksSince(first))
  expect(await escrowIs(id, 'funding')).toMatchObject({ claimable: false, escrow: { deposit_tx_hash: null } })
  await stage.client().sandbox.setFaults({ facilitator: 'ok' })
  await stage.travel(60_000)
  const again = await escrowIs(id, 'funded')
  expect(again.claimable).toBe(true)
  expect(again.escrow?.deposit_tx_hash).not.toBe(first)
  expect(await timesPaid(stage.chain(), buyer.wallet.address)).toBe(1)
  await expectBalanced()
})

test('a settled deposit that is watched for days has had one attempt to settle', async () => {
  const id = await postEscrowed(await newBuyer(stage))
  await escrowIs(id, 'funded')
  for (let day = 0; day < 3; day += 1) await stage.travel(86_400_000)
  expect((await stage.client().tasks.get(id)).payment).toMatchObject({ settle_attempts: 1 })
})

test('a deposit that the chain took back a moment ago, unnoticed so far, is not paid out from what others have deposited', async () => {
  const [other, buyer, worker] = [await newBuyer(stage), await newBuyer(stage), await newWorker(stage)]
  await escrowIs(await postEscrowed(other), 'funded')
  const id = await deliveredTask(buyer, worker)
  // The next look at a deposit of this age is half a minute away.
  await stage.travel(600_000)
  await reorganise(await blocksSince((await task(id)).escrow?.deposit_tx_hash))
  await buyer.client.tasks.accept(id)
  expect(await usdcOf(stage.chain(), worker.wallet.address)).toBe(0n)
  expect(await task(id)).toMatchObject({ escrow: { status: 'releasing' } })
  await stage.travel(120_000)
  await escrowIs(id, 'released')
  expect(await usdcOf(stage.chain(), worker.wallet.address)).toBe(5_000_000n)
  expect(await timesPaid(stage.chain(), buyer.wallet.address)).toBe(1)
  await expectBalanced()
})

test('deposit and release that are taken back together are both made again, once', async () => {
  const [buyer, worker] = [await newBuyer(stage), await newWorker(stage)]
  const id = await postEscrowed(buyer)
  await escrowIs(id, 'funded')
  await claimAndDeliver(worker, id)
  await buyer.client.tasks.accept(id)
  const { escrow } = await escrowIs(id, 'released')
  await reorganise(await blocksSince(escrow?.deposit_tx_hash))
  await until(
    async () =>
      (await stage.client().tasks.payment(id)).events.filter(({ event_type }) => event_type === 'settlement_undone'),
    (undone) => undone.length === 2,
  )
  await stage.travel(60_000)
  const again = await escrowIs(id, 'released')
  expect(again.escrow?.release_tx_hash).not.toBe(escrow?.release_tx_hash)
  expect(await usdcOf(stage.chain(), worker.wallet.address)).toBe(5_000_000n)
  expect(await timesPaid(stage.chain(), buyer.wallet.address)).toBe(1)
  await expectBalanced()
})

test('a deposit that is taken back after the wallet was reconciled with it does not stop the reconciler', async () => {
  const buyer = await newBuyer(stage)
  const id = await postEscrowed(buyer)
  const { escrow } = await escrowIs(id, 'funded')
  await stage.travel(61_000)
  await stage.client().sandbox.setFaults({ facilitator: 'settle_reverts' })
  await reorganise(await blocksSince(escrow?.deposit_tx_hash))
  await escrowIs(id, 'funding')
  await stage.client().sandbox.setFaults({ facilitator: 'ok' })
  await stage.travel(60_000)
  await escrowIs(id, 'funded')
  const head = Number(await rpc<string>(stage.chain(), 'eth_blockNumber'))
  await expectBalanced()
  const { networks } = await stage.client().service.reserves()
  expect(networks.find(({ network }) => network === BASE)?.reconciled_block).toBeGreaterThanOrEqual(head)
})

/** A bond that was paid and paid back: by whom, what the chain says of its payment, and how far its withdrawal is. */
async function withdrawnBond() {
  const worker = await newWorker(stage)
  await give(stage, worker.wallet.address, '10')
  const asked = await askPrice(stage, worker, '/v1/agents/me/claim-bond', { slots: 2 })
  const payment = await signPayment(stage, asked.terms, worker.wallet)
  await pay(stage, asked, payment)
  const { from: payer, nonce } = payment.authorization
  const paid = () => stage.client().payments.outcome({ network: BASE, payer, nonce })
  const { tx_hash: first } = await until(paid, ({ state }) => state === 'settled')
  const { withdrawal_id: id } = await worker.client.call('withdrawBond', { body: { amount_atomic: '2000000' } })
  const { store } = stage.node().service.world
  const withdrawal = (state: string) =>
    until(
      () => store.transfer(id),
      (transfer) => transfer?.state === state,
    )
  await withdrawal('settled')
  return { worker, nonce, paid, first, withdrawal }
}

test('a bond and its withdrawal that are taken back together are both made again, and nothing of it is left to withdraw', async () => {
  const { worker, paid, first, withdrawal } = await withdrawnBond()
  await stage.client().sandbox.setFaults({ facilitator: 'down' })
  await reorganise(await blocksSince(first))
  await withdrawal('intended')
  await until(paid, ({ state }) => state !== 'settled')
  await stage.client().sandbox.setFaults({ facilitator: 'ok' })
  await stage.travel(60_000)
  await withdrawal('settled')
  expect(await usdcOf(stage.chain(), worker.wallet.address)).toBe(10_000_000n)
  expect((await worker.client.agents.claimBudget()).bond_balance_atomic).toBe('0')
  await expectBalanced()
})

test('a withdrawal is not made again when the chain takes its bond back for good, and the house owes nothing for it in the end', async () => {
  await postEscrowed(await newBuyer(stage))
  const { worker, nonce, paid, first, withdrawal } = await withdrawnBond()
  const house = async () => (await stage.client().service.reserves()).networks[0]?.house_atomic
  await stage.client().sandbox.setFaults({ facilitator: 'down' })
  await reorganise(await blocksSince(first))
  await cancelAuthorization(stage.chain(), worker.wallet, nonce)
  await until(house, (atomic) => atomic === '-2000000')
  await stage.client().sandbox.setFaults({ facilitator: 'ok' })
  await until(paid, ({ state }) => state === 'dead')
  await stage.travel(60_000)
  await stage.travel(2 * 3_600_000)
  await withdrawal('dead')
  expect(await usdcOf(stage.chain(), worker.wallet.address)).toBe(10_000_000n)
  expect((await worker.client.agents.claimBudget()).bond_balance_atomic).toBe('0')
  expect(await house()).toBe('0')
  await expectBalanced()
})

test('a withdrawal that the chain keeps without its bond is owed by the house: payouts wait until an operator pays for it', async () => {
  // Without waiting, this deposit would pay for the other.
  await postEscrowed(await newBuyer(stage))
  const buyer = await newBuyer(stage)
  const id = await postEscrowed(buyer)
  const { worker, nonce, paid, first, withdrawal } = await withdrawnBond()
  const { authorization, signature } = (await withdrawal('settled')) ?? {}
  if (!authorization || !signature) throw new Error('Nothing was signed.')
  const house = async () => (await stage.client().service.reserves()).networks[0]?.house_atomic
  await stage.client().sandbox.setFaults({ facilitator: 'down', rpc: 'down' })
  await reorganise(await blocksSince(first))
  await carryOut(stage.chain(), authorization, signature)
  await cancelAuthorization(stage.chain(), worker.wallet, nonce)
  await mine(stage.chain(), 40)
  await stage.client().sandbox.setFaults({ facilitator: 'ok', rpc: 'ok' })
  await stage.travel(61_000)
  await until(paid, ({ state }) => state === 'dead')
  expect(await house()).toBe('-2000000')

  await buyer.client.tasks.cancel(id)
  await stage.travel(61_000)
  expect(await task(id)).toMatchObject({ escrow: { status: 'refunding' } })
  await until(
    async () => stage.alarms,
    (alarms) => alarms.some((alarm) => alarm.startsWith('the house stands in')),
  )

  await give(stage, STRANGER, '2')
  const sent = await sendPlainly(stage.chain(), stage.escrow.address, 2_000_000n)
  await mine(stage.chain(), 3)
  await stage.travel(61_000)
  await atDesk(stage, async (desk) => {
    const stray = await until(
      async () => (await desk.strays({ returned: false, limit: 10 })).find(({ txHash }) => txHash === sent),
      (found) => found !== undefined,
    )
    expect(await desk.coverLoss(stray?.id ?? '')).toMatchObject({ kind: 'covered', stillMissing: 0n })
    expect(await desk.coverLoss(stray?.id ?? '')).toEqual({ kind: 'unknown' })
  })
  expect(await house()).toBe('0')
  await stage.travel(61_000)
  await escrowIs(id, 'refunded')
  await expectBalanced()
})

test('money that came unasked, and is taken back and comes again, is owed once', async () => {
  const { networks } = await stage.client().sandbox.info()
  const escrow = networks[0]?.escrow_wallet as `0x${string}`
  await give(stage, STRANGER, '1')
  const strays = async () =>
    (await atDesk(stage, (desk) => desk.strays({ returned: false, limit: 10 }))).map(({ txHash }) => txHash)
  const first = await sendPlainly(stage.chain(), escrow, 7n)
  await stage.travel(61_000)
  expect(await strays()).toEqual([first])
  await reorganise(await blocksSince(first))
  const second = await sendPlainly(stage.chain(), escrow, 7n)
  await expectBalanced()
  expect(await strays()).toEqual([second])
})
