import { describe, expect, test } from 'vitest'
import { settleTransfer } from '../../src/actions/money/settle-transfer.ts'
import type { Chain } from '../../src/ports/chain.ts'
import { give, newBuyer, newWorker } from '../support/cast.ts'
import { carryOut, usdcOf } from '../support/chain-calls.ts'
import { doomedNodes } from '../support/doomed-node.ts'
import { startNodeProcess } from '../support/node-process.ts'
import { outcomeOf, send, signed } from '../support/raw.ts'
import { setStage } from '../support/stage.ts'
import { deliveredTask, postEscrowed } from '../support/tasks.ts'
import { until } from '../support/until.ts'

/** The node that is left does nothing by itself until a story says so. */
const stage = setStage({ settings: { GUILDHALL_ROLE: 'api' } })
const dieAt = doomedNodes(stage)
const task = async (id: string) => (await stage.client().tasks.get(id)).task

/** Longer than the lease of a node that died with it. */
const LEASE_IS_OVER = 20_000

async function toBeReleased() {
  const [buyer, worker] = [await newBuyer(stage), await newWorker(stage)]
  const id = await deliveredTask(buyer, worker)
  const acceptance = () => signed(stage, buyer, 'POST', `/v1/tasks/${id}/accept`)
  return { id, request: acceptance(), acceptance, paid: () => usdcOf(stage.chain(), worker.wallet.address) }
}

describe('a node is killed while it releases a deposit', () => {
  test.each([
    'release: committed',
    'release: leased',
    'release: signed',
    'release: before settle',
    'release: after settle',
    'release: before conclude',
  ])('at "%s": the acceptance stands and the deliverer is paid once', async (place) => {
    const { id, request, acceptance, paid } = await toBeReleased()
    await dieAt(place, request)
    expect(await task(id)).toMatchObject({ status: 'verified', escrow: { status: 'releasing' } })
    expect(outcomeOf(await send(stage, request))).toBe('401 signature_replayed')
    const again = await send(stage, acceptance())
    expect(again.body).toMatchObject({ ok: true, status: 'verified', payment_status: 'settling' })
    await stage.travel(LEASE_IS_OVER)
    expect(await task(id)).toMatchObject({ payment_status: 'settled', escrow: { status: 'released' } })
    expect(await paid()).toBe(5_000_000n)
    expect(await stage.askOracle()).toEqual([])
  })
})

describe('a node is killed while it refunds a deposit', () => {
  test.each([
    'refund: leased',
    'refund: signed',
    'refund: before settle',
    'refund: after settle',
    'refund: before conclude',
  ])('at "%s": the cancellation stands and the payer is refunded once', async (place) => {
    const buyer = await newBuyer(stage)
    const id = await postEscrowed(buyer)
    const request = signed(stage, buyer, 'POST', `/v1/tasks/${id}/cancel`)
    await dieAt(place, request)
    expect(await task(id)).toMatchObject({ status: 'cancelled', escrow: { status: 'refunding' } })
    expect(outcomeOf(await send(stage, request))).toBe('401 signature_replayed')
    await stage.travel(LEASE_IS_OVER)
    expect(await task(id)).toMatchObject({ payment_status: 'refunded', escrow: { status: 'refunded' } })
    expect(await usdcOf(stage.chain(), buyer.wallet.address)).toBe(100_000_000n)
    expect(await stage.askOracle()).toEqual([])
  })
})

describe('a node is killed while it pays a bond back', () => {
  test.each(['withdrawal: leased', 'withdrawal: after settle'])(
    'at "%s": the bond is debited once and its wallet is paid once',
    async (place) => {
      const worker = await newWorker(stage)
      await give(stage, worker.wallet.address, '10')
      await worker.client.call('postBond', { body: { slots: 3 } })
      const body = { amount_atomic: '2000000' }
      await dieAt(place, signed(stage, worker, 'POST', '/v1/agents/me/claim-bond/withdraw', body))
      expect(await worker.client.agents.claimBudget()).toMatchObject({ bond_balance_atomic: '1000000' })
      await stage.travel(LEASE_IS_OVER)
      expect(await worker.client.agents.claimBudget()).toMatchObject({ bond_balance_atomic: '1000000' })
      expect(await usdcOf(stage.chain(), worker.wallet.address)).toBe(9_000_000n)
      expect(await stage.askOracle()).toEqual([])
    },
  )
})

test('a node that is started again finishes what it was killed in the middle of', async () => {
  const { id, request, paid } = await toBeReleased()
  await dieAt('release: after settle', request)
  await stage.moveClocks(LEASE_IS_OVER)
  const node = await startNodeProcess(stage, {})
  try {
    await until(
      () => task(id),
      ({ escrow }) => escrow?.status === 'released',
    )
  } finally {
    await node.stop()
  }
  expect(await paid()).toBe(5_000_000n)
})

test('a node that is told to stop in the middle of a settlement ends in order, and another one finishes', async () => {
  const { id, request, paid } = await toBeReleased()
  const node = await startNodeProcess(stage, { GUILDHALL_SETTLE_IN_REQUEST_MS: '100', GUILDHALL_ROLE: 'api' })
  try {
    await stage.client().sandbox.setFaults({ facilitator: 'slow' })
    const { method, path, headers } = request
    const answer = await fetch(`${node.url}${path}`, { method, headers })
    expect(await answer.json()).toMatchObject({ status: 'verified', payment_status: 'settling' })
    expect(await node.terminate()).toBe(0)
  } finally {
    await node.stop()
  }
  await stage.client().sandbox.setFaults({ facilitator: 'ok' })
  // What the facilitator held is sent now, perhaps in the middle of the next attempt.
  await until(
    async () => {
      await stage.travel(LEASE_IS_OVER)
      return task(id)
    },
    ({ payment_status }) => payment_status === 'settled',
  )
  expect(await paid()).toBe(5_000_000n)
})

test('a payout that leaves the wallet while it is tried again is not taken for missing money', async () => {
  const { id, request, paid } = await toBeReleased()
  await dieAt('release: before settle', request)
  await stage.moveClocks(LEASE_IS_OVER)
  const { world } = stage.node().service
  const exitId = (await world.store.task(id))?.escrow?.exitId ?? ''
  const payout = await world.store.transfer(exitId)
  if (!payout?.signature) throw new Error('Nothing was signed.')
  const { authorization, signature } = payout
  let hasLeft = false
  const evidence: Chain['evidence'] = async (...asked) => {
    const seen = await world.chain.evidence(...asked)
    if (!hasLeft && asked[0].nonce === authorization.nonce) {
      hasLeft = true
      expect(seen.kind).toBe('unused')
      await carryOut(stage.chain(), authorization, signature)
    }
    return seen
  }
  await settleTransfer({ ...world, chain: { ...world.chain, evidence } }, exitId)
  expect(await task(id)).toMatchObject({ payment_status: 'settled', last_settle_error: null })
  expect(await paid()).toBe(5_000_000n)
})
