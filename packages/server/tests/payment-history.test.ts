import { DAY, HOUR } from '@guildhall/protocol'
import { afterEach, describe, expect, test } from 'vitest'
import { newBuyer, newWorker } from './support/cast.ts'
import { setStage } from './support/stage.ts'
import { aBounty, claimAndDeliver, deliveredTask, postEscrowed, postFree } from './support/tasks.ts'

const stage = setStage()
const spoil = (facilitator: 'ok' | 'settle_reverts') => stage.client().sandbox.setFaults({ facilitator })
afterEach(async () => void (await spoil('ok')))

const view = (id: string) => stage.client().tasks.payment(id)
const historyOf = async (id: string) => (await view(id)).events.map(({ event_type }) => event_type)

async function declared() {
  const [buyer, worker] = [await newBuyer(stage), await newWorker(stage)]
  const id = await postFree(buyer, { bounty: aBounty(), escrow: false })
  return { buyer, worker, id }
}

describe('the payment history of an escrowed bounty tells', () => {
  test('that it was declared, signed for, funded and settled, with amount and transactions', async () => {
    const [buyer, worker] = [await newBuyer(stage), await newWorker(stage)]
    const id = await deliveredTask(buyer, worker)
    await buyer.client.tasks.accept(id)
    const { events, payment } = await view(id)
    const payer = buyer.wallet.address.toLowerCase()
    expect(events).toMatchObject([
      { event_type: 'bounty_declared', details: { amount_atomic: '5000000', escrow: true } },
      { event_type: 'authorized', details: { purpose: 'deposit', payer } },
      { event_type: 'escrow_funded', details: { amount_atomic: '5000000' } },
      { event_type: 'settled', details: { tx_hash: payment.tx_hash } },
    ])
    for (const event of events) expect(event.id).toMatch(/^pev_[0-9A-Za-z]{20,32}$/)
    expect(events.map(({ created_at }) => created_at)).toEqual(events.map(({ created_at }) => created_at).toSorted())
  })

  test('the dispute and the refund of a cancelled one', async () => {
    const [buyer, worker] = [await newBuyer(stage), await newWorker(stage)]
    const id = await deliveredTask(buyer, worker)
    await buyer.client.tasks.dispute(id, { reason: 'No.' })
    await buyer.client.tasks.cancel(id)
    expect((await historyOf(id)).slice(3)).toEqual(['disputed', 'escrow_refund_requested', 'escrow_refunded'])
  })

  test('the refund of an expired one', async () => {
    const id = await postEscrowed(await newBuyer(stage), { expires_in_days: 1 })
    await stage.travel(DAY)
    expect((await historyOf(id)).slice(3)).toEqual(['escrow_refund_requested', 'escrow_refunded'])
  })

  test('the acceptance by the timer', async () => {
    const id = await deliveredTask(await newBuyer(stage), await newWorker(stage))
    await stage.travel(7 * DAY)
    expect((await historyOf(id)).slice(3)).toEqual(['auto_accepted', 'settled'])
  })

  test('what a deposit waits for, that it ran out, and the next one', async () => {
    const buyer = await newBuyer(stage)
    await spoil('settle_reverts')
    const { task_id: id } = await buyer.client.tasks.post({ title: 'a', description: 'b', bounty: aBounty() })
    await stage.travel(2 * HOUR)
    const before = new Set(await historyOf(id))
    expect(before).toEqual(new Set(['bounty_declared', 'authorized', 'settle_pending', 'expired']))
    await spoil('ok')
    await buyer.client.tasks.fund(id)
    expect((await historyOf(id)).slice(-2)).toEqual(['authorized', 'escrow_funded'])
  })
})

describe('the payment history of a declared bounty tells', () => {
  test('that it was declared, signed for and settled', async () => {
    const { buyer, worker, id } = await declared()
    await claimAndDeliver(worker, id)
    await buyer.client.tasks.accept(id)
    expect(await historyOf(id)).toEqual(['bounty_declared', 'authorized', 'settled'])
  })

  test('why it did not settle, once a reason, and that it ran out', async () => {
    const { buyer, worker, id } = await declared()
    await claimAndDeliver(worker, id)
    await spoil('settle_reverts')
    await buyer.client.tasks.accept(id)
    await stage.travel(2 * HOUR)
    const history = await historyOf(id)
    expect(history.at(-1)).toBe('expired')
    expect(history.filter((kind) => kind === 'settle_failed').length).toBeLessThan(4)
    expect(new Set(history)).toEqual(new Set(['bounty_declared', 'authorized', 'settle_failed', 'expired']))
  })

  test('that it is void with its task', async () => {
    const { buyer, id } = await declared()
    await buyer.client.tasks.cancel(id)
    expect(await historyOf(id)).toEqual(['bounty_declared', 'expired'])
  })
})

describe('the payment view asks for a payment', () => {
  /** Requirements are there to be signed: they are shown together with what asks for them, or not at all. */
  async function asksToSign(id: string): Promise<boolean> {
    const { requirements, payment_required } = await view(id)
    expect(requirements === null).toBe(payment_required === null)
    return requirements !== null
  }

  test('from the claim until one is taken, and never for the same bounty again', async () => {
    const { buyer, worker, id } = await declared()
    const asked = () => asksToSign(id)
    expect(await asked()).toBe(false)
    await claimAndDeliver(worker, id)
    expect(await asked()).toBe(true)
    await spoil('settle_reverts')
    await buyer.client.tasks.accept(id)
    expect(await asked()).toBe(false)
    await spoil('ok')
    await stage.travel(60_000)
    expect((await view(id)).payment.status).toBe('settled')
    expect(await asked()).toBe(false)
  })

  test('never for a task that is over', async () => {
    const buyer = await newBuyer(stage)
    await spoil('settle_reverts')
    const { task_id: id } = await buyer.client.tasks.post({ title: 'a', description: 'b', bounty: aBounty() })
    await stage.travel(2 * HOUR)
    expect(await asksToSign(id)).toBe(true)
    await buyer.client.tasks.cancel(id)
    expect(await asksToSign(id)).toBe(false)
    expect((await view(id)).requirements_unavailable_reason).toBe('escrow_unavailable')
  })

  test('never for a declared bounty whose task was cancelled', async () => {
    const { buyer, worker, id } = await declared()
    await worker.client.tasks.claim(id)
    expect(await asksToSign(id)).toBe(true)
    await buyer.client.tasks.cancel(id)
    expect(await asksToSign(id)).toBe(false)
    expect((await view(id)).requirements_unavailable_reason).toBe('not_claimed')
  })
})
