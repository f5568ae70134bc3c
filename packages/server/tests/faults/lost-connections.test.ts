import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { acceptanceEntryId } from '../../src/actions/append-entry.ts'
import { newBuyer, newWorker, type Player } from '../support/cast.ts'
import { timesPaid, usdcOf } from '../support/chain-calls.ts'
import { collected } from '../support/collected.ts'
import { type Cut, type DatabaseLine, databaseLine } from '../support/database-line.ts'
import { askPrice, signPayment } from '../support/payments.ts'
import { outcomeOf, type RawRequest, send, signed } from '../support/raw.ts'
import { setStage } from '../support/stage.ts'
import { aBounty, aDelivery, aTask, claimAndDeliver, deliveredTask, postFree } from '../support/tasks.ts'

/** The second node reaches its database over a line that fails; neither does anything by itself until a story says so. */
const stage = setStage({ settings: { GUILDHALL_ROLE: 'api' } })
const FAILING = 1
const LEASE_IS_OVER = 20_000
/** Long enough for the story to cut the line while a request waits. */
const SETTLE_IN_REQUEST = 8_000
/** Longer than a key is held for a request of which nobody knows what became. */
const KEY_IS_FREE = 31_000 + SETTLE_IN_REQUEST
let line: DatabaseLine

beforeAll(async () => {
  line = await databaseLine(stage.databaseUrl)
  await stage.startNode({ DATABASE_URL: line.url, GUILDHALL_SETTLE_IN_REQUEST_MS: String(SETTLE_IN_REQUEST) })
})
afterAll(() => line.close())
afterEach(async () => void (await stage.client().sandbox.setFaults({ facilitator: 'ok' })))

const task = async (id: string) => (await stage.client().tasks.get(id)).task
const tasksOf = ({ id }: Player) => collected(stage.client().tasks.list({ creator: id, status: 'all' }))

/** Whether the acceptance of a task is sealed, and its payout waits for nothing but the facilitator. */
async function isSettling(id: string): Promise<boolean> {
  const { store } = stage.node().service.world
  const exitId = (await store.task(id))?.escrow?.exitId ?? null
  if (exitId === null || (await store.seal(acceptanceEntryId(id))) === null) return false
  return (await store.transfer(exitId))?.signature !== null
}

/** Sends a request whose transaction is cut; gives the way to send it again, at the node that is well. */
async function sendCut(request: RawRequest, more: Readonly<Record<string, string>>, text: string, where: Cut) {
  const headers = { 'Idempotency-Key': randomUUID(), ...more }
  const cut = line.cut(text, where)
  const answer = await send(stage, request, { headers, node: FAILING, once: true })
  expect(cut.happened()).toBe(true)
  expect(outcomeOf(answer)).toBe('503 service_unavailable')
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  // What cannot have been written is not said to be perhaps.
  expect(answer.body.maybe_done).toBe(where === 'within' ? undefined : true)
  return () => send(stage, request, { headers })
}

const unwritten: readonly Cut[] = ['within', 'before the commit']

describe('a connection to PostgreSQL that is lost', () => {
  test.each(unwritten)('%s of a change leaves nothing of it, and the same request is good', async (where) => {
    const [poster, worker] = [await newBuyer(stage), await newWorker(stage)]
    // What a posting writes travels with its commit; before that it only asks whom it tells.
    const [title, skill] = [`Count, ${randomUUID()}`, `counts-${randomUUID()}`]
    const post = await sendCut(
      signed(stage, poster, 'POST', '/v1/tasks', { ...aTask, title, required_capabilities: [skill] }),
      {},
      where === 'within' ? skill : title,
      where,
    )
    expect(await tasksOf(poster)).toEqual([])
    const id = String((await post()).body.task_id)
    expect(await tasksOf(poster)).toMatchObject([{ task_id: id, status: 'open' }])

    const claim = await sendCut(signed(stage, worker, 'POST', `/v1/tasks/${id}/claim`), {}, id, where)
    expect(await task(id)).toMatchObject({ status: 'open' })
    expect(outcomeOf(await claim())).toBe('200')

    // What a delivery writes travels with its commit: whoever loses that cannot know.
    const body = { ...aDelivery, summary: `dix, ${randomUUID()}` }
    const deliver = await sendCut(
      signed(stage, worker, 'POST', `/v1/tasks/${id}/deliver`, body),
      {},
      where === 'within' ? id : body.summary,
      where,
    )
    expect(await task(id)).toMatchObject({ status: 'claimed' })
    expect((await stage.client().tasks.receipts(id)).length).toBe(0)
    expect((await deliver()).body).toMatchObject({ status: 'submitted', chain_sequence: expect.any(Number) })
  })

  test('after a change was committed leaves the caller without an answer, and a repeat does not make the change twice', async () => {
    const [poster, worker] = [await newBuyer(stage), await newWorker(stage)]
    const title = `Count, ${randomUUID()}`
    const request = signed(stage, poster, 'POST', '/v1/tasks', { ...aTask, title })
    const again = await sendCut(request, {}, title, 'after the commit')
    expect(outcomeOf(await again())).toBe('409 idempotency_in_progress')
    expect(await tasksOf(poster)).toMatchObject([{ title, status: 'open' }])
    expect(outcomeOf(await send(stage, request))).toBe('401 signature_replayed')

    const id = await postFree(poster)
    await worker.client.tasks.claim(id)
    const body = { ...aDelivery, summary: `dix, ${randomUUID()}` }
    const delivery = signed(stage, worker, 'POST', `/v1/tasks/${id}/deliver`, body)
    const deliverAgain = await sendCut(delivery, {}, body.summary, 'after the commit')
    await stage.moveClocks(KEY_IS_FREE)
    for (const sendAgain of [again, deliverAgain]) {
      expect(outcomeOf(await sendAgain())).toBe('409 idempotency_answer_lost')
    }
    await stage.runDue()
    expect(await stage.client().tasks.receipts(id)).toMatchObject([{ chain_sequence: expect.any(Number) }])
  })

  test('after the commit: the SDK takes it for a lost answer, and says what was carried out', async () => {
    const buyer = await newBuyer(stage)
    const client = buyer.with({ node: FAILING, attempts: 4, sleep: async () => {} })
    const free = `Count, ${randomUUID()}`
    line.cut(free, 'after the commit')
    await expect(client.tasks.post({ ...aTask, title: free })).rejects.toMatchObject({
      code: 'outcome_unknown',
      retryable: false,
      fields: { carried_out: 'yes' },
    })
    const paid = `Count, ${randomUUID()}`
    line.cut(paid, 'after the commit')
    const { task_id } = await client.tasks.post({ ...aTask, title: paid, bounty: aBounty() })
    expect(await task(task_id)).toMatchObject({ title: paid })
    expect((await tasksOf(buyer)).map(({ title }) => title).sort()).toEqual([free, paid].sort())
    await stage.travel(LEASE_IS_OVER)
    expect(await timesPaid(stage.chain(), buyer.wallet.address)).toBe(1)
  })

  test('between the commit and the answer: the caller is told that the change may have been made', async () => {
    const [buyer, worker] = [await newBuyer(stage), await newWorker(stage)]
    const id = await deliveredTask(buyer, worker)
    await stage.client().sandbox.setFaults({ facilitator: 'slow' })
    const sent = send(stage, signed(stage, buyer, 'POST', `/v1/tasks/${id}/accept`), { node: FAILING })
    await expect.poll(() => isSettling(id)).toBe(true)
    const cut = line.cut(id, 'within')
    const answer = await sent
    expect(cut.happened()).toBe(true)
    expect(outcomeOf(answer)).toBe('503 service_unavailable')
    expect(answer.body.maybe_done).toBe(true)
    expect(await task(id)).toMatchObject({ status: 'verified' })
    await stage.client().sandbox.setFaults({ facilitator: 'ok' })
    // What the facilitator held is sent now, perhaps in the middle of the next attempt.
    const later = async () => {
      await stage.travel(LEASE_IS_OVER)
      return task(id)
    }
    await expect.poll(later).toMatchObject({ escrow: { status: 'released' } })
    expect(await usdcOf(stage.chain(), worker.wallet.address)).toBe(5_000_000n)
  })

  // The task travels with the commit, so a line that is lost with it is lost before the commit.
  test.each(['before the commit', 'after the commit'] as const)(
    '%s of a deposit: it is paid once, and its task is found',
    async (where) => {
      const buyer = await newBuyer(stage)
      const title = `Count, ${randomUUID()}`
      const { request, terms } = await askPrice(stage, buyer, '/v1/tasks', { ...aTask, title, bounty: aBounty() })
      const { header } = await signPayment(stage, terms, buyer.wallet)
      const again = await sendCut(request, { 'PAYMENT-SIGNATURE': header }, title, where)
      const written = where === 'after the commit'
      expect((await tasksOf(buyer)).length).toBe(written ? 1 : 0)
      await stage.moveClocks(KEY_IS_FREE)
      const answer = await again()
      expect(outcomeOf(answer)).toBe(written ? '409 authorization_reused' : '200')
      await stage.travel(LEASE_IS_OVER)
      expect(await tasksOf(buyer)).toMatchObject([{ task_id: answer.body.task_id, escrow: { status: 'funded' } }])
      expect(await timesPaid(stage.chain(), buyer.wallet.address)).toBe(1)
      expect(await usdcOf(stage.chain(), buyer.wallet.address)).toBe(95_000_000n)
    },
  )

  test.each([...unwritten, 'after the commit'] as const)(
    '%s of an acceptance: the deliverer is paid once',
    async (where) => {
      const [buyer, worker] = [await newBuyer(stage), await newWorker(stage)]
      const id = await deliveredTask(buyer, worker)
      const again = await sendCut(signed(stage, buyer, 'POST', `/v1/tasks/${id}/accept`), {}, id, where)
      const written = where === 'after the commit'
      expect(await task(id)).toMatchObject({ status: written ? 'verified' : 'submitted' })
      await stage.moveClocks(KEY_IS_FREE)
      expect(outcomeOf(await again())).toBe(written ? '409 idempotency_answer_lost' : '200')
      await stage.travel(LEASE_IS_OVER)
      expect(await task(id)).toMatchObject({ status: 'verified', escrow: { status: 'released' } })
      expect(await usdcOf(stage.chain(), worker.wallet.address)).toBe(5_000_000n)
      expect(await stage.askOracle()).toEqual([])
    },
  )

  test.each(['within', 'after the commit'] as const)(
    '%s of an acceptance that is paid with it: both are on record or neither, and the deliverer is paid once',
    async (where) => {
      const [buyer, worker] = [await newBuyer(stage), await newWorker(stage)]
      const id = await postFree(buyer, { bounty: aBounty(), escrow: false })
      await claimAndDeliver(worker, id)
      const { request, terms } = await askPrice(stage, buyer, `/v1/tasks/${id}/accept`)
      const { header } = await signPayment(stage, terms, buyer.wallet)
      const again = await sendCut(request, { 'PAYMENT-SIGNATURE': header }, id, where)
      const written = where === 'after the commit'
      expect(await task(id)).toMatchObject({ status: written ? 'verified' : 'submitted' })
      await stage.moveClocks(KEY_IS_FREE)
      expect((await again()).body).toMatchObject({ status: 'verified' })
      await stage.travel(LEASE_IS_OVER)
      expect(await task(id)).toMatchObject({ payment_status: 'settled' })
      expect(await timesPaid(stage.chain(), buyer.wallet.address)).toBe(1)
      expect(await usdcOf(stage.chain(), worker.wallet.address)).toBe(5_000_000n)
    },
  )
})
