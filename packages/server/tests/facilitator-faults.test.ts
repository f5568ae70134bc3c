import { DAY, MINUTE } from '@guildhall/protocol'
import { beforeEach, describe, expect, test } from 'vitest'
import { newAgent, newBuyer, newWorker, type Player } from './support/cast.ts'
import { timesPaid, usdcOf } from './support/chain-calls.ts'
import { askPrice, pay, type SignedPayment, signPayment } from './support/payments.ts'
import { outcomeOf, type RawAnswer, send, signed } from './support/raw.ts'
import { BASE, setStage } from './support/stage.ts'
import { aBounty, aTask, claimAndDeliver, deliveredTask, postEscrowed, postFree } from './support/tasks.ts'

/** A request does not wait long for a settlement here, so that slow ones show. */
const stage = setStage({ settings: { GUILDHALL_SETTLE_IN_REQUEST_MS: '400' } })
const withBounty = { ...aTask, bounty: aBounty() }
const task = async (id: string) => (await stage.client().tasks.get(id)).task

type Fault = 'ok' | 'down' | 'slow' | 'settle_reverts' | 'response_lost' | 'lies_settled' | 'lies_failed'
const spoil = (facilitator: Fault) => stage.client().sandbox.setFaults({ facilitator })
beforeEach(async () => void (await spoil('ok')))

/** One step of money: how it is set off, and what the world looks like once it has gone through. */
type Step = {
  readonly setOff: () => Promise<RawAnswer>
  readonly id: () => string
  readonly done: Readonly<Record<string, unknown>>
  readonly moved: () => Promise<void>
}

async function depositStep(): Promise<Step> {
  const buyer = await newBuyer(stage)
  const asked = await askPrice(stage, buyer, '/v1/tasks', withBounty)
  const payment = await signPayment(stage, asked.terms, buyer.wallet)
  let id = ''
  return {
    async setOff() {
      const answer = await pay(stage, asked, payment)
      id = String(answer.body.task_id)
      return answer
    },
    id: () => id,
    done: { claimable: true, payment_status: 'pending', escrow: { status: 'funded' } },
    moved: () => paidOnce(buyer, payment, id),
  }
}

/** The payer paid once, and whoever shows the payment again is told what for, never to sign anew. */
async function paidOnce(buyer: Player, { header }: SignedPayment, id: string): Promise<void> {
  expect(await timesPaid(stage.chain(), buyer.wallet.address)).toBe(1)
  expect(await usdcOf(stage.chain(), buyer.wallet.address)).toBe(95_000_000n)
  const request = signed(stage, buyer, 'POST', '/v1/tasks', withBounty)
  const again = await send(stage, request, { headers: { 'PAYMENT-SIGNATURE': header } })
  expect(outcomeOf(again)).toBe('409 authorization_reused')
  expect(again.body.task_id).toBe(id)
}

async function releaseStep(): Promise<Step> {
  const [buyer, worker] = [await newBuyer(stage), await newWorker(stage)]
  const id = await deliveredTask(buyer, worker)
  return {
    setOff: () => send(stage, signed(stage, buyer, 'POST', `/v1/tasks/${id}/accept`)),
    id: () => id,
    done: { status: 'verified', payment_status: 'settled', escrow: { status: 'released' } },
    moved: async () => expect(await usdcOf(stage.chain(), worker.wallet.address)).toBe(5_000_000n),
  }
}

async function refundStep(): Promise<Step> {
  const buyer = await newBuyer(stage)
  const id = await postEscrowed(buyer)
  return {
    setOff: () => send(stage, signed(stage, buyer, 'POST', `/v1/tasks/${id}/cancel`)),
    id: () => id,
    done: { status: 'cancelled', payment_status: 'refunded', escrow: { status: 'refunded' } },
    moved: async () => expect(await usdcOf(stage.chain(), buyer.wallet.address)).toBe(100_000_000n),
  }
}

async function bountyStep(): Promise<Step> {
  const [buyer, worker] = [await newBuyer(stage), await newWorker(stage)]
  const id = await postFree(buyer, { bounty: aBounty(), escrow: false })
  await claimAndDeliver(worker, id)
  const asked = await askPrice(stage, buyer, `/v1/tasks/${id}/accept`)
  const payment = await signPayment(stage, asked.terms, buyer.wallet)
  return {
    setOff: () => pay(stage, asked, payment),
    id: () => id,
    done: { status: 'verified', payment_status: 'settled' },
    async moved() {
      expect(await timesPaid(stage.chain(), buyer.wallet.address)).toBe(1)
      expect(await usdcOf(stage.chain(), worker.wallet.address)).toBe(5_000_000n)
    },
  }
}

/** Longer than any lease and any pause between attempts. */
async function taskLater(id: string) {
  await stage.travel(180_000)
  return task(id)
}

/** What the facilitator still held is sent when it is well again, perhaps in the middle of the next attempt. */
async function healed({ id, done, moved }: Step): Promise<void> {
  await spoil('ok')
  await expect.poll(() => taskLater(id())).toMatchObject(done)
  await moved()
}

const steps = { deposit: depositStep, release: releaseStep, refund: refundStep, bounty: bountyStep }
const names = Object.keys(steps) as (keyof typeof steps)[]

/** It is seen on the chain while the fault goes on; the request may not wait so long. */
const isDone = ({ id, done }: Step) => expect.poll(() => task(id())).toMatchObject(done)

describe.each(names)('the %s goes through once and without a person,', (name) => {
  const faults: readonly { fault: Fault; what: string; atOnce: boolean }[] = [
    { fault: 'settle_reverts', what: 'when its transaction fails', atOnce: false },
    { fault: 'response_lost', what: 'when the answer to a settled one is lost', atOnce: true },
    { fault: 'lies_failed', what: 'when the facilitator says failed and it was not', atOnce: true },
    { fault: 'lies_settled', what: 'when the facilitator says settled and it is not', atOnce: false },
  ]

  test.each(faults)('$what ($fault)', async ({ fault, atOnce }) => {
    const step = await steps[name]()
    await spoil(fault)
    const answer = await step.setOff()
    expect(answer.status).toBe(200)
    if (atOnce) await isDone(step)
    else expect(await task(step.id())).not.toMatchObject(step.done)
    await healed(step)
  })
})

test('while the facilitator keeps its callers waiting, everything else that falls due happens', async () => {
  const [buyer, worker] = [await newBuyer(stage), await newWorker(stage)]
  const unreviewed = await deliveredTask(buyer, worker)
  await spoil('slow')
  await stage.moveClocks(7 * DAY + MINUTE)
  await expect.poll(() => task(unreviewed)).toMatchObject({ status: 'verified', escrow: { status: 'releasing' } })
  const juggler = await newAgent(stage, { capabilities: ['juggling'] })
  const free = await postFree(buyer, { required_capabilities: ['juggling'] })
  const told = async () => (await juggler.client.events.list({ type: 'task.available' })).events
  await expect.poll(told).toMatchObject([{ ref_id: free }])
  await spoil('ok')
  await expect.poll(() => taskLater(unreviewed)).toMatchObject({ escrow: { status: 'released' } })
})

describe('while the facilitator is down', () => {
  test.each(['deposit', 'bounty'] as const)(
    'a %s is answered with 503 and nothing is written; the same call is good later',
    async (name) => {
      const step = await steps[name]()
      await spoil('down')
      const answer = await step.setOff()
      expect(outcomeOf(answer)).toBe('503 facilitator_unavailable')
      expect(answer.body).toHaveProperty('cause')
      await spoil('ok')
      expect((await step.setOff()).status).toBe(200)
      await healed(step)
    },
  )

  test.each(['release', 'refund'] as const)('a %s is promised, and kept later', async (name) => {
    const step = await steps[name]()
    await spoil('down')
    const answer = await step.setOff()
    expect(answer.body).toMatchObject({ payment_status: 'settling' })
    await healed(step)
  })
})

describe('while the facilitator is slow', () => {
  test('a release is answered in time with the truth so far, and everything else goes on', async () => {
    const step = await releaseStep()
    await spoil('slow')
    const answer = await step.setOff()
    expect(answer.body).toMatchObject({ status: 'verified', payment_status: 'settling' })
    expect((await stage.client().service.status()).tasks.total).toBeGreaterThan(0)
    await healed(step)
  })

  test('a move of the clock is answered in time too, and what fell due is paid later', async () => {
    const steps = [await releaseStep(), await releaseStep()]
    await spoil('slow')
    await stage.travel(8 * DAY)
    for (const step of steps) expect(await task(step.id())).toMatchObject({ accepted_by: 'auto', status: 'verified' })
    for (const step of steps) await healed(step)
  })
})

test('what the client shows is never a reason to pay twice: no 402 once a payment was taken', async () => {
  const buyer = await newBuyer(stage)
  await spoil('settle_reverts')
  const posted = await buyer.client.tasks.post(withBounty)
  expect(posted).toMatchObject({
    claimable: false,
    payment_status: 'settling',
    escrow: { status: 'funding', leg: 'deposit' },
  })
  await expect.poll(async () => (await task(posted.task_id)).last_settle_error).not.toBeNull()
  const view = await stage.client().tasks.payment(posted.task_id)
  expect(view).toMatchObject({
    requirements: null,
    requirements_unavailable_reason: 'escrow_funding',
    payment_required: null,
  })
  const fund = await send(stage, signed(stage, buyer, 'POST', `/v1/tasks/${posted.task_id}/fund`))
  expect(outcomeOf(fund)).toBe('409 settlement_in_progress')
  await spoil('ok')
  await expect.poll(() => taskLater(posted.task_id)).toMatchObject({ claimable: true, last_settle_error: null })
  expect(await usdcOf(stage.chain(BASE), buyer.wallet.address)).toBe(95_000_000n)
})
