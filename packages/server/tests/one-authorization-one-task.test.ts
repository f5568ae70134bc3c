import { HOUR } from '@guildhall/protocol'
import { describe, expect, test } from 'vitest'
import { takePayment } from '../src/actions/money/take-payment.ts'
import type { Chain } from '../src/ports/chain.ts'
import { newAgent, newBuyer, newWorker } from './support/cast.ts'
import { timesPaid, usdcOf } from './support/chain-calls.ts'
import { collected } from './support/collected.ts'
import { askPrice, pay, signPayment } from './support/payments.ts'
import { outcomeOf, send, signed } from './support/raw.ts'
import { ALL_NETWORKS, POLYGON, setStage } from './support/stage.ts'
import { aBounty, aTask, claimAndDeliver } from './support/tasks.ts'

const stage = setStage({ nodes: 2, networks: ALL_NETWORKS })
const withBounty = { ...aTask, bounty: aBounty() }

async function signedOnce() {
  const buyer = await newBuyer(stage)
  const asked = await askPrice(stage, buyer, '/v1/tasks', withBounty)
  return { buyer, asked, payment: await signPayment(stage, asked.terms, buyer.wallet) }
}

const tasksOf = (id: string) => collected(stage.client().tasks.list({ creator: id, status: 'all' }))

describe('one authorization funds one task:', () => {
  test('the identical call repeated after a lost answer is told which task it paid for', async () => {
    const { buyer, asked, payment } = await signedOnce()
    const first = await pay(stage, asked, payment)
    for (const node of [0, 1]) {
      const again = await pay(stage, asked, payment, node)
      expect(outcomeOf(again)).toBe('409 authorization_reused')
      expect(again.body.task_id).toBe(first.body.task_id)
    }
    expect(await timesPaid(stage.chain(), buyer.wallet.address)).toBe(1)
    expect(await tasksOf(buyer.id)).toHaveLength(1)
  })

  test('a new call with a used payment is told so too, whoever makes it', async () => {
    const { buyer, asked, payment } = await signedOnce()
    const first = await pay(stage, asked, payment)
    const other = await newAgent(stage)
    for (const agent of [buyer, other]) {
      const request = signed(stage, agent, 'POST', '/v1/tasks', { ...withBounty, title: 'Another task' })
      const again = await send(stage, request, { headers: { 'PAYMENT-SIGNATURE': payment.header } })
      expect(outcomeOf(again)).toBe('409 authorization_reused')
      expect(again.body.task_id).toBe(first.body.task_id)
    }
    expect(await tasksOf(other.id)).toEqual([])
  })

  test('a used payment that names other terms than those it was taken for is told so, and not asked for again', async () => {
    const { buyer, asked, payment } = await signedOnce()
    const first = await pay(stage, asked, payment)
    const { authorization } = payment
    for (const accepted of [{ network: POLYGON }, { asset: buyer.wallet.address }]) {
      const misnamed = await signPayment(stage, asked.terms, buyer.wallet, { authorization, accepted })
      const request = signed(stage, buyer, 'POST', '/v1/tasks', withBounty)
      const again = await send(stage, request, { headers: { 'PAYMENT-SIGNATURE': misnamed.header } })
      expect(outcomeOf(again)).toBe('409 authorization_reused')
      expect(again.body.task_id).toBe(first.body.task_id)
    }
  })

  test('fifty calls with one payment at once over two nodes make one task', async () => {
    const { buyer, payment } = await signedOnce()
    const sendOne = async (place: number): Promise<string> => {
      const request = signed(stage, buyer, 'POST', '/v1/tasks', { ...withBounty, title: `Task ${place}` })
      const headers = { 'PAYMENT-SIGNATURE': payment.header }
      return outcomeOf(await send(stage, request, { headers, node: place % 2 }))
    }
    const outcomes = await Promise.all(Array.from({ length: 50 }, (_, place) => sendOne(place)))
    expect(outcomes.sort()).toEqual(['200', ...Array.from({ length: 49 }, () => '409 authorization_reused')])
    expect(await tasksOf(buyer.id)).toHaveLength(1)
    expect(await usdcOf(stage.chain(), buyer.wallet.address)).toBe(95_000_000n)
  })

  test('a call that another one overtakes while its payment is being checked is told the same', async () => {
    const { asked, payment } = await signedOnce()
    const { world } = stage.node(1).service
    const overtaken: Chain = {
      ...world.chain,
      async payerSigned(...asking) {
        expect(outcomeOf(await pay(stage, asked, payment, 0))).toBe('200')
        return world.chain.payerSigned(...asking)
      },
    }
    const offer = { path: asked.request.path, description: 'A deposit.', accepts: [asked.terms] }
    const taking = takePayment({ ...world, chain: overtaken }, payment.header, () => offer)
    await expect(taking).rejects.toMatchObject({ code: 'authorization_reused' })
  })

  test('a payment is not taken while any one question about it to the chain has no answer', async () => {
    const { asked, payment } = await signedOnce()
    const { world } = stage.node().service
    const offer = { path: asked.request.path, description: 'A deposit.', accepts: [asked.terms] }
    const unanswered = async () => ({ kind: 'unreachable', cause: 'no answer' }) as const
    for (const silent of [{ payerSigned: unanswered }, { head: unanswered }, { isUsed: unanswered }]) {
      const taking = takePayment({ ...world, chain: { ...world.chain, ...silent } }, payment.header, () => offer)
      await expect(taking, Object.keys(silent)[0]).rejects.toMatchObject({ code: 'facilitator_unavailable' })
    }
    expect(outcomeOf(await pay(stage, asked, payment))).toBe('200')
  })

  test('the very same signed request at both nodes at once makes one task', async () => {
    const { buyer, asked, payment } = await signedOnce()
    const answers = await Promise.all([0, 1, 0, 1].map((node) => pay(stage, asked, payment, node)))
    const outcomes = answers.map(outcomeOf).sort()
    expect(outcomes).toEqual(['200', ...Array.from({ length: 3 }, () => '409 authorization_reused')])
    expect(new Set(answers.map(({ body }) => body.task_id)).size).toBe(1)
    expect(await tasksOf(buyer.id)).toHaveLength(1)
  })

  test('a second deposit repeated after a lost answer is told so, and not what has become of the task', async () => {
    const { buyer, asked, payment } = await signedOnce()
    const { setFaults } = stage.client().sandbox
    await setFaults({ facilitator: 'settle_reverts' })
    const { body } = await pay(stage, asked, payment)
    await stage.travel(2 * HOUR)
    const fund = await askPrice(stage, buyer, `/v1/tasks/${body.task_id}/fund`)
    const second = await signPayment(stage, fund.terms, buyer.wallet)
    const told = async (node: number) => {
      const again = await pay(stage, fund, second, node)
      expect(again.body.task_id).toBe(body.task_id)
      return outcomeOf(again)
    }
    expect(await told(0)).toBe('200')
    expect(await told(0)).toBe('409 authorization_reused')
    expect(await told(1)).toBe('409 authorization_reused')
    await setFaults({ facilitator: 'ok' })
    await stage.travel(60_000)
    expect((await stage.client().tasks.get(String(body.task_id))).task.claimable).toBe(true)
    const stranger = signed(stage, await newAgent(stage), 'POST', fund.request.path)
    const refused = await send(stage, stranger, { headers: { 'PAYMENT-SIGNATURE': second.header } })
    expect(outcomeOf(refused)).toBe('403 forbidden')
    const later = signed(stage, buyer, 'POST', fund.request.path)
    const answer = await send(stage, later, { headers: { 'PAYMENT-SIGNATURE': second.header } })
    expect(outcomeOf(answer)).toBe('409 authorization_reused')
  })

  test('a bounty that was signed for and ran out is told so when it is shown again, whatever became of the wallet', async () => {
    const [buyer, worker] = [await newBuyer(stage), await newWorker(stage)]
    const { task_id: id } = await buyer.client.tasks.post({ ...withBounty, escrow: false })
    await claimAndDeliver(worker, id)
    const asked = await askPrice(stage, buyer, `/v1/tasks/${id}/accept`)
    const payment = await signPayment(stage, asked.terms, buyer.wallet)
    const { setFaults } = stage.client().sandbox
    await setFaults({ facilitator: 'settle_reverts' })
    expect((await pay(stage, asked, payment)).body).toMatchObject({ payment_status: 'failed' })
    expect((await pay(stage, asked, payment)).body).toMatchObject({ payment_status: 'failed' })
    await stage.travel(2 * HOUR)
    await setFaults({ facilitator: 'ok' })
    await worker.client.wallet.clear()
    const again = signed(stage, buyer, 'POST', asked.request.path)
    const answer = await send(stage, again, { headers: { 'PAYMENT-SIGNATURE': payment.header } })
    expect(outcomeOf(answer)).toBe('409 authorization_reused')
    expect(answer.body.task_id).toBe(id)
  })

  test('what paid a deposit pays no bounty at acceptance', async () => {
    const { buyer, asked, payment } = await signedOnce()
    const { body } = await pay(stage, asked, payment)
    const worker = await newAgent(stage)
    await worker.client.wallet.prove(worker.wallet, 'eip155:8453')
    const declared = await buyer.client.tasks.post({ ...withBounty, escrow: false })
    await claimAndDeliver(worker, declared.task_id)
    const accept = signed(stage, buyer, 'POST', `/v1/tasks/${declared.task_id}/accept`)
    const answer = await send(stage, accept, { headers: { 'PAYMENT-SIGNATURE': payment.header } })
    expect(outcomeOf(answer)).toBe('409 authorization_reused')
    expect(answer.body.task_id).toBe(body.task_id)
  })
})

test('the same nonce of another payer is another authorization', async () => {
  const [one, other] = [await signedOnce(), await signedOnce()]
  await pay(stage, one.asked, one.payment)
  const { nonce } = one.payment.authorization
  const twin = await signPayment(stage, other.asked.terms, other.buyer.wallet, { authorization: { nonce } })
  expect(outcomeOf(await pay(stage, other.asked, twin))).toBe('200')
})

test('the client finds the task that it paid for when the answer was lost on the way', async () => {
  const buyer = await newBuyer(stage)
  let lost = 0
  const client = buyer.with({
    attempts: 3,
    sleep: async () => {},
    fetch: async (input, init) => {
      const answer = await fetch(input, init)
      const paid = new Headers(init?.headers).has('payment-signature')
      if (paid && lost++ === 0) throw new TypeError('the connection was cut')
      return answer
    },
  })
  const posted = await client.tasks.post(withBounty)
  expect(posted).toMatchObject({ ok: true, claimable: true })
  expect(lost).toBeGreaterThan(1)
  expect(await timesPaid(stage.chain(), buyer.wallet.address)).toBe(1)
  expect(await tasksOf(buyer.id)).toHaveLength(1)
})
