import { HOUR, MINUTE } from '@guildhall/protocol'
import { afterEach, describe, expect, test } from 'vitest'
import { suspendAgent } from '../../src/actions/agents/suspend-agent.ts'
import { give, newAgent, newBuyer, newWallet, newWorker, type Player } from '../support/cast.ts'
import { timesPaid, usdcOf } from '../support/chain-calls.ts'
import { collected } from '../support/collected.ts'
import { setFacilitatorStage } from '../support/facilitator-stage.ts'
import type { Lie, LyingFacilitator } from '../support/lying-facilitator.ts'
import { askPrice, pay, signPayment } from '../support/payments.ts'
import { outcomeOf } from '../support/raw.ts'
import { gate } from '../support/store.ts'
import { aBounty, aTask } from '../support/tasks.ts'
import { until } from '../support/until.ts'

const { stage, facilitator } = setFacilitatorStage()
afterEach(() => {
  facilitator().lie({})
  facilitator().hold({})
})

const withBounty = { ...aTask, bounty: aBounty() }
const task = async (id: string) => (await stage.client().tasks.get(id)).task
const tasksOf = ({ id }: Player) => collected(stage.client().tasks.list({ creator: id, status: 'all' }))
/** No jobs run on this node; what falls due is done when time passes. */
const becomes = (id: string, status: string) =>
  until(
    async () => {
      await stage.travel(MINUTE)
      return task(id)
    },
    ({ escrow }) => escrow?.status === status,
  )
const HASH = `0x${'ab'.repeat(32)}`
const json = (status: number, body: unknown): Lie => ({ status, body: JSON.stringify(body) })

describe('a facilitator that says nothing clear about a payment', () => {
  const SECRET = 'stack trace of somebody else'
  test.each<[string, Lie]>([
    ['with a page', { status: 503, body: `<html>${SECRET}</html>`, headers: { 'content-type': 'text/html' } }],
    ['with a redirect', { status: 307, body: '', headers: { location: 'http://127.0.0.1:1/verify' } }],
    ['with what is no JSON', { status: 200, body: `{"isValid":${SECRET}` }],
    ['with other types', json(200, { isValid: 'true', payer: 7, invalidReason: SECRET })],
    ['with more than anybody reads', { status: 200, body: `{"isValid":true,"pad":"${'x'.repeat(1 << 20)}"}` }],
    ['of another payer', json(200, { isValid: true, payer: newWallet().address })],
  ])('%s: 503, nothing is written, nothing is settled, and its words go no further', async (_, verify) => {
    const buyer = await newBuyer(stage)
    const asked = await askPrice(stage, buyer, '/v1/tasks', withBounty)
    const payment = await signPayment(stage, asked.terms, buyer.wallet)
    const before = facilitator().settles()
    facilitator().lie({ verify })
    const answer = await pay(stage, asked, payment)
    expect(outcomeOf(answer)).toBe('503 facilitator_unavailable')
    expect(JSON.stringify(answer.body)).not.toContain(SECRET)
    expect(await tasksOf(buyer)).toEqual([])
    expect(facilitator().settles()).toBe(before)
    facilitator().lie({})
    const taken = await pay(stage, asked, payment)
    expect(outcomeOf(taken)).toBe('200')
    await expect.poll(() => task(String(taken.body.task_id))).toMatchObject({ escrow: { status: 'funded' } })
  })
})

async function paidWhile(lies: Parameters<LyingFacilitator['lie']>[0], buyer: Player) {
  const asked = await askPrice(stage, buyer, '/v1/tasks', withBounty)
  const payment = await signPayment(stage, asked.terms, buyer.wallet)
  facilitator().lie(lies)
  const answer = await pay(stage, asked, payment)
  expect(answer.body).toMatchObject({ ok: true, escrow: { status: 'funding' }, claimable: false })
  return String(answer.body.task_id)
}

test('a payment that the facilitator wrongly calls valid funds nothing: it is dead when its time is over, and may be made again', async () => {
  const poor = await newAgent(stage)
  const verify = json(200, { isValid: true, payer: poor.wallet.address })
  const id = await paidWhile({ verify }, poor)
  await stage.travel(30 * MINUTE)
  expect(await task(id)).toMatchObject({ claimable: false, escrow: { status: 'funding' } })
  await stage.travel(HOUR)
  expect(await task(id)).toMatchObject({ claimable: false, escrow: { status: 'unfunded' } })
  expect(await timesPaid(stage.chain(), poor.wallet.address)).toBe(0)
})

test.each<[string, Lie]>([
  [
    'and was sent',
    { ...json(500, { success: false, errorReason: 'settlement_pending', transaction: HASH }), forwards: true },
  ],
  ['and is dropped', json(202, { success: false, errorReason: 'settlement_pending', transaction: HASH })],
  ['under an id of its own', json(202, { paymentId: 'pay_1' })],
])(
  'a settlement that is said to be pending %s: the chain says what became of it, and nobody pays twice',
  async (_, settle) => {
    const buyer = await newBuyer(stage)
    facilitator().lie({ settle })
    const asked = await askPrice(stage, buyer, '/v1/tasks', withBounty)
    const answer = await pay(stage, asked, await signPayment(stage, asked.terms, buyer.wallet))
    facilitator().lie({})
    const { escrow, claimable } = await becomes(String(answer.body.task_id), 'funded')
    expect(claimable).toBe(true)
    expect(escrow?.deposit_tx_hash).not.toBe(HASH)
    expect(await timesPaid(stage.chain(), buyer.wallet.address)).toBe(1)
    expect(await usdcOf(stage.chain(), buyer.wallet.address)).toBe(95_000_000n)
  },
)

describe('an agent that is suspended while the facilitator is asked about its payment', () => {
  async function paidWhileSuspended(player: Player, path: string, body?: unknown): Promise<string> {
    const asked = await askPrice(stage, player, path, body)
    const payment = await signPayment(stage, asked.terms, player.wallet)
    const [checked, before] = [gate(), facilitator().verifies()]
    facilitator().hold({ verify: checked.opened })
    const answer = pay(stage, asked, payment)
    await until(
      async () => facilitator().verifies(),
      (times) => times > before,
    )
    await suspendAgent(stage.node().service.world, player.id, null)
    checked.open()
    const outcome = outcomeOf(await answer)
    expect(await timesPaid(stage.chain(), player.wallet.address)).toBe(0)
    return outcome
  }

  test('posts nothing', async () => {
    const buyer = await newBuyer(stage)
    expect(await paidWhileSuspended(buyer, '/v1/tasks', withBounty)).toBe('403 agent_not_active')
    expect(await tasksOf(buyer)).toEqual([])
  })

  test('puts up no bond', async () => {
    const worker = await newWorker(stage)
    await give(stage, worker.wallet.address, '10')
    expect(await paidWhileSuspended(worker, '/v1/agents/me/claim-bond', { slots: 1 })).toBe('403 agent_not_active')
  })

  test('funds nothing', async () => {
    const poor = await newAgent(stage)
    const id = await paidWhile({ verify: json(200, { isValid: true, payer: poor.wallet.address }) }, poor)
    facilitator().lie({})
    await stage.travel(2 * HOUR)
    await becomes(id, 'unfunded')
    await give(stage, poor.wallet.address, '10')
    expect(await paidWhileSuspended(poor, `/v1/tasks/${id}/fund`)).toBe('403 agent_not_active')
    expect(await task(id)).toMatchObject({ escrow: { status: 'unfunded' } })
  })
})
