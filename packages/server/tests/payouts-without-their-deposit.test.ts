import { MINUTE } from '@guildhall/protocol'
import { expect, test } from 'vitest'
import { give, newBuyer, newWorker } from './support/cast.ts'
import { cancelAuthorization, carryOut, mine, rpc, STRANGER, sendPlainly, usdcOf } from './support/chain-calls.ts'
import { atDesk } from './support/desk.ts'
import { BASE, setStage } from './support/stage.ts'
import { claimAndDeliver, postEscrowed } from './support/tasks.ts'
import { until } from './support/until.ts'

/** Money may leave after one block, and is watched for long after that. */
const stage = setStage({
  depths: { confirmations: 1, finality: 1, reorg_depth: 32 },
  settings: { GUILDHALL_SETTLE_IN_REQUEST_MS: '400' },
  alarms: [
    'the chain took a settled transfer back',
    'the chain took blocks back that were to stay',
    'a deposit is gone that was to be paid out',
    'a deposit is gone that was paid out',
    'money is missing from the escrow wallet',
  ],
  // What was paid out and never came again is named until an operator has covered it.
  violations: ['I3 custody balances', 'I7 no phantoms'],
})
const task = async (id: string) => (await stage.client().tasks.get(id)).task
const spoil = (facilitator: 'ok' | 'down') => stage.client().sandbox.setFaults({ facilitator })
const history = async (id: string) =>
  (await stage.client().tasks.payment(id)).events.map(({ event_type }) => event_type)
const escrowIs = (id: string, status: string) =>
  until(
    () => task(id),
    ({ escrow }) => escrow?.status === status,
  )

async function signedRelease(id: string) {
  const { store } = stage.node().service.world
  const { authorization, signature } =
    (await until(
      async () => store.transfer((await store.task(id))?.escrow?.exitId ?? ''),
      (transfer) => transfer?.signature !== null,
    )) ?? {}
  if (!authorization || !signature) throw new Error('Nothing was signed.')
  return { authorization, signature }
}

/** A task that was paid out, beside the deposit of somebody else. */
async function releasedTask() {
  const [buyer, worker] = [await newBuyer(stage), await newWorker(stage)]
  await postEscrowed(await newBuyer(stage))
  const id = await postEscrowed(buyer)
  await claimAndDeliver(worker, id)
  await buyer.client.tasks.accept(id)
  const { escrow } = await escrowIs(id, 'released')
  return { buyer, id, escrow, release: await signedRelease(id) }
}

/** The block of this transaction and all later ones are replaced by empty ones. */
async function takeBack(txHash: string | null | undefined): Promise<void> {
  const { blockNumber } = await rpc<{ blockNumber: string }>(stage.chain(), 'eth_getTransactionReceipt', txHash)
  const head = Number(await rpc<string>(stage.chain(), 'eth_blockNumber'))
  await rpc(stage.chain(), 'anvil_reorg', head - Number(blockNumber) + 1, [])
}

/**
 * A release is sent, and before it is in a block the chain takes its deposit back: it is carried out all the same, with the
 * deposit of somebody else.
 */
async function leavesWithoutItsDeposit() {
  const [buyer, worker] = [await newBuyer(stage), await newWorker(stage)]
  await postEscrowed(await newBuyer(stage))
  const id = await postEscrowed(buyer)
  const { escrow } = await escrowIs(id, 'funded')
  await claimAndDeliver(worker, id)
  await spoil('down')
  await buyer.client.tasks.accept(id)
  const release = await signedRelease(id)
  await takeBack(escrow?.deposit_tx_hash)
  await until(
    () => history(id),
    (kinds) => kinds.includes('settlement_undone'),
  )
  await carryOut(stage.chain(), release.authorization, release.signature)
  expect(await usdcOf(stage.chain(), worker.wallet.address)).toBe(5_000_000n)
  await stage.travel(MINUTE)
  return { id, worker }
}

const onBase = async () => {
  const { networks, payouts } = await stage.client().service.reserves()
  return { payouts, difference: networks.find(({ network }) => network === BASE)?.difference_atomic }
}

test('a payout that left without its deposit is booked once the deposit is there again', async () => {
  const { id, worker } = await leavesWithoutItsDeposit()
  await spoil('ok')
  await stage.travel(MINUTE)
  const released = await escrowIs(id, 'released')
  expect(released.escrow?.deposit_tx_hash).toMatch(/^0x/)
  await stage.travel(MINUTE)
  await expect.poll(onBase).toEqual({ payouts: 'running', difference: '0' })
  expect(await usdcOf(stage.chain(), worker.wallet.address)).toBe(5_000_000n)
  expect(await stage.askOracle()).toEqual([])
})

test('a deposit that is taken back though its payout stays is sent again while its authorization lives', async () => {
  const { buyer, id, escrow, release } = await releasedTask()
  await stage.client().sandbox.setFaults({ facilitator: 'down', rpc: 'down' })
  await takeBack(escrow?.deposit_tx_hash)
  await carryOut(stage.chain(), release.authorization, release.signature)
  await stage.client().sandbox.setFaults({ facilitator: 'ok', rpc: 'ok' })
  await stage.travel(MINUTE)
  await until(
    () => usdcOf(stage.chain(), buyer.wallet.address),
    (atomic) => atomic === 95_000_000n,
  )
  await stage.travel(MINUTE)
  const again = await escrowIs(id, 'released')
  expect(again.escrow?.deposit_tx_hash).not.toBe(escrow?.deposit_tx_hash)
  await stage.travel(MINUTE)
  await expect.poll(onBase).toMatchObject({ difference: '0' })
  await atDesk(stage, (desk) => desk.resumePayouts())
  expect(await stage.askOracle()).toEqual([])
})

test('a payout whose deposit never comes again is missing money: payouts stop', async () => {
  const { id } = await leavesWithoutItsDeposit()
  await stage.travel(2 * 60 * MINUTE)
  await mine(stage.chain(), 3)
  await stage.travel(MINUTE)
  await escrowIs(id, 'unfunded')
  expect(stage.alarms.some((alarm) => alarm.startsWith('a deposit is gone'))).toBe(true)
  await stage.travel(MINUTE)
  await expect.poll(onBase).toEqual({ payouts: 'paused', difference: '-5000000' })
  await spoil('ok')
  await makeUpForIt()
})

/** Nothing leaves a wallet that holds too little. */
async function makeUpForIt(): Promise<void> {
  await give(stage, STRANGER, '5')
  await sendPlainly(stage.chain(), stage.escrow.address, 5_000_000n)
  await mine(stage.chain(), 3)
  await stage.travel(MINUTE)
  await atDesk(stage, async (desk) => {
    const [stray] = await until(
      () => desk.strays({ returned: false, limit: 1 }),
      ({ length }) => length === 1,
    )
    expect(await desk.coverLoss(stray?.id ?? '')).toMatchObject({ kind: 'covered', stillMissing: 0n })
    await desk.resumePayouts()
  })
  await stage.travel(MINUTE)
}

test('a deposit that its payer takes back for good after it was paid out is missing money: payouts stop', async () => {
  const { buyer, id, escrow, release } = await releasedTask()
  const before = Number((await onBase()).difference)
  const { store } = stage.node().service.world
  const depositId = (await store.task(id))?.escrow?.depositId ?? ''
  const nonce = (await store.transfer(depositId))?.authorization.nonce ?? '0x'
  await stage.client().sandbox.setFaults({ facilitator: 'down', rpc: 'down' })
  await takeBack(escrow?.deposit_tx_hash)
  await carryOut(stage.chain(), release.authorization, release.signature)
  await cancelAuthorization(stage.chain(), buyer.wallet, nonce)
  await mine(stage.chain(), 40)
  await stage.client().sandbox.setFaults({ facilitator: 'ok', rpc: 'ok' })
  for (let minute = 0; minute < 4; minute++) await stage.travel(MINUTE)
  await expect.poll(onBase).toEqual({ payouts: 'paused', difference: String(before - 5_000_000) })
  expect(stage.alarms.some((alarm) => alarm.startsWith('a deposit is gone that was paid out'))).toBe(true)
  await atDesk(stage, (desk) => desk.resumePayouts())
})
