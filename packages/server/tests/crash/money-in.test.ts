import { describe, expect, test } from 'vitest'
import { newBuyer, newWorker } from '../support/cast.ts'
import { timesPaid, usdcOf } from '../support/chain-calls.ts'
import { collected } from '../support/collected.ts'
import { doomedNodes } from '../support/doomed-node.ts'
import { askPrice, signPayment } from '../support/payments.ts'
import { outcomeOf, send } from '../support/raw.ts'
import { setStage } from '../support/stage.ts'
import { aBounty, aTask, claimAndDeliver, postFree } from '../support/tasks.ts'

/** The node that is left does nothing by itself until a story says so. */
const stage = setStage({ settings: { GUILDHALL_ROLE: 'api' } })
const dieAt = doomedNodes(stage)
const task = async (id: string) => (await stage.client().tasks.get(id)).task

/** Longer than the lease of a node that died with it. */
const LEASE_IS_OVER = 20_000

describe('a node is killed while it takes a deposit', () => {
  async function paidPost() {
    const buyer = await newBuyer(stage)
    const { request, terms } = await askPrice(stage, buyer, '/v1/tasks', { ...aTask, bounty: aBounty() })
    const { header } = await signPayment(stage, terms, buyer.wallet)
    const again = () => send(stage, request, { headers: { 'PAYMENT-SIGNATURE': header } })
    const tasks = () => collected(stage.client().tasks.list({ creator: buyer.id, status: 'all' }))
    return { buyer, request, header, again, tasks }
  }

  test('before anything is committed: nothing has happened, and the same call is good', async () => {
    const { buyer, request, header, again, tasks } = await paidPost()
    await dieAt('deposit: verified', request, header)
    expect(await tasks()).toEqual([])
    expect(await timesPaid(stage.chain(), buyer.wallet.address)).toBe(0)
    const answer = await again()
    expect(answer.body).toMatchObject({ ok: true, claimable: true })
    expect(await timesPaid(stage.chain(), buyer.wallet.address)).toBe(1)
  })

  test.each([
    'deposit: committed',
    'deposit: leased',
    'deposit: before settle',
    'deposit: after settle',
    'deposit: before conclude',
  ])('at "%s": the task is there, its money comes once, and the same call is told which task it was', async (place) => {
    const { buyer, request, header, again, tasks } = await paidPost()
    await dieAt(place, request, header)
    const [found] = await tasks()
    expect(found).toMatchObject({ status: 'open', claimable: false, escrow: { status: 'funding' } })
    const repeated = await again()
    expect(outcomeOf(repeated)).toBe('409 authorization_reused')
    expect(repeated.body.task_id).toBe(found?.task_id)
    await stage.travel(LEASE_IS_OVER)
    expect(await tasks()).toMatchObject([{ task_id: found?.task_id, claimable: true, escrow: { status: 'funded' } }])
    expect(await timesPaid(stage.chain(), buyer.wallet.address)).toBe(1)
    expect(await usdcOf(stage.chain(), buyer.wallet.address)).toBe(95_000_000n)
    expect(await stage.askOracle()).toEqual([])
  })
})

describe('a node is killed while it takes a bounty at acceptance', () => {
  test.each([
    'bounty: committed',
    'bounty: leased',
    'bounty: before settle',
    'bounty: after settle',
    'bounty: before conclude',
  ])('at "%s": acceptance and payment are on record, and the deliverer is paid once', async (place) => {
    const [buyer, worker] = [await newBuyer(stage), await newWorker(stage)]
    const id = await postFree(buyer, { bounty: aBounty(), escrow: false })
    await claimAndDeliver(worker, id)
    const { request, terms } = await askPrice(stage, buyer, `/v1/tasks/${id}/accept`)
    const { header } = await signPayment(stage, terms, buyer.wallet)
    await dieAt(place, request, header)
    expect(await task(id)).toMatchObject({ status: 'verified', payment_status: 'authorized', accepted_by: 'creator' })
    const repeated = await send(stage, request, { headers: { 'PAYMENT-SIGNATURE': header } })
    expect(repeated.body).toMatchObject({ status: 'verified', payment_status: 'authorized' })
    await stage.travel(LEASE_IS_OVER)
    expect(await task(id)).toMatchObject({ payment_status: 'settled' })
    expect(await timesPaid(stage.chain(), buyer.wallet.address)).toBe(1)
    expect(await usdcOf(stage.chain(), worker.wallet.address)).toBe(5_000_000n)
    expect(await stage.askOracle()).toEqual([])
  })
})
