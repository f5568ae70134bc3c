import { randomUUID } from 'node:crypto'
import { DAY, MINUTE, SECOND } from '@guildhall/protocol'
import { Client } from 'pg'
import { describe, expect, test } from 'vitest'
import { newAgent, newBuyer, newWorker, type Player } from './support/cast.ts'
import { timesPaid } from './support/chain-calls.ts'
import { collected } from './support/collected.ts'
import { askPrice, signPayment } from './support/payments.ts'
import { outcomeOf, type RawAnswer, type RawRequest, send, signed } from './support/raw.ts'
import { setStage } from './support/stage.ts'
import { aBounty, aDelivery, aTask, claimAndDeliver, deliveredTask, postFree } from './support/tasks.ts'

const stage = setStage({ nodes: 2 })

const newKey = () => randomUUID()
const under = (key: string, more: Readonly<Record<string, string>> = {}) => ({
  headers: { 'Idempotency-Key': key, ...more },
})
const post = (player: Player, path: string, body?: unknown) =>
  signed(stage, player, 'POST', path, body, { nonce: randomUUID() })
const tasksOf = async (id: string) => collected(stage.client().tasks.list({ creator: id, status: 'all' }))
const isReplay = (answer: RawAnswer) => answer.headers.get('idempotent-replayed') === 'true'

describe('the same request with the same key', () => {
  test('gets the first answer again, signed anew or not, at any node, and is carried out once', async () => {
    const poster = await newAgent(stage)
    const key = newKey()
    const request = post(poster, '/v1/tasks', aTask)
    const first = await send(stage, request, under(key))
    expect(outcomeOf(first)).toBe('200')
    expect(isReplay(first)).toBe(false)
    await stage.moveClocks(SECOND)
    const again = [request, request, post(poster, '/v1/tasks', aTask), post(poster, '/v1/tasks', aTask)]
    for (const [place, repeat] of again.entries()) {
      const answer = await send(stage, repeat, { ...under(key), node: place % 2 })
      expect(answer.status).toBe(200)
      expect(isReplay(answer)).toBe(true)
      expect(answer.body).toEqual(first.body)
    }
    expect(await tasksOf(poster.id)).toHaveLength(1)
  })

  test('is carried out once when it comes forty times at once over two nodes', async () => {
    const poster = await newAgent(stage)
    const key = newKey()
    const sent = Array.from({ length: 40 }, (_, place) =>
      send(stage, post(poster, '/v1/tasks', aTask), { ...under(key), node: place % 2 }),
    )
    const answers = await Promise.all(sent)
    const outcomes = Map.groupBy(answers, (answer) => (isReplay(answer) ? 'replay' : outcomeOf(answer)))
    expect(outcomes.get('200')).toHaveLength(1)
    expect(
      [...outcomes.keys()].every((outcome) => ['200', 'replay', '409 idempotency_in_progress'].includes(outcome)),
    ).toBe(true)
    const [refused] = outcomes.get('409 idempotency_in_progress') ?? []
    if (refused) expect(refused.headers.get('retry-after')).toBe('1')
    expect(new Set(answers.flatMap(({ body }) => body.task_id ?? [])).size).toBe(1)
    expect(await tasksOf(poster.id)).toHaveLength(1)
  })

  test('is in progress for as long as the first may wait for its settlement', async () => {
    const [buyer, worker] = [await newBuyer(stage), await newWorker(stage)]
    const patient = await stage.startNode({ GUILDHALL_SETTLE_IN_REQUEST_MS: '60000' })
    const id = await deliveredTask(buyer, worker)
    const { sandbox, tasks } = stage.client()
    await sandbox.setFaults({ facilitator: 'slow' })
    const key = newKey()
    const accept = () => send(stage, post(buyer, `/v1/tasks/${id}/accept`), { ...under(key), node: 2 })
    const first = accept()
    await expect.poll(async () => (await tasks.get(id)).task.status).toBe('verified')
    await stage.moveClocks(40 * SECOND)
    expect(outcomeOf(await accept())).toBe('409 idempotency_in_progress')
    await sandbox.setFaults({ facilitator: 'ok' })
    const { body } = await first
    expect(body).toMatchObject({ status: 'verified', payment_status: 'settled' })
    expect((await accept()).body).toEqual(body)
    await stage.stopNode(patient)
  })

  test('may go through everything that a task goes through', async () => {
    const poster = await newAgent(stage)
    const worker = await newAgent(stage)
    const id = await postFree(poster)
    const twice = async (player: Player, path: string, body?: unknown) => {
      const key = newKey()
      const first = await send(stage, post(player, path, body), under(key))
      const again = await send(stage, post(player, path, body), under(key))
      expect([outcomeOf(first), outcomeOf(again), isReplay(again)]).toEqual(['200', '200', true])
      expect(again.body).toEqual(first.body)
    }
    await twice(worker, `/v1/tasks/${id}/claim`)
    await twice(worker, `/v1/tasks/${id}/deliver`, aDelivery)
    await twice(poster, `/v1/tasks/${id}/revision`, { note: 'In Dutch.' })
    await twice(worker, `/v1/tasks/${id}/deliver`, aDelivery)
    await twice(poster, `/v1/tasks/${id}/dispute`, { reason: 'Still French.' })
    await twice(poster, `/v1/tasks/${id}/accept`)
    const { task, receipts_count } = await stage.client().tasks.get(id)
    expect([task.status, task.revision_count, receipts_count]).toEqual(['verified', 1, 2])
  })

  test('is new again after 24 hours, not before, and nothing is kept of it', async () => {
    const poster = await newAgent(stage)
    const key = newKey()
    const repeat = () => send(stage, post(poster, '/v1/tasks', aTask), under(key))
    const first = await repeat()
    await stage.travel(DAY - MINUTE)
    expect((await repeat()).body).toEqual(first.body)
    await stage.travel(MINUTE)
    const anew = await repeat()
    expect(outcomeOf(anew)).toBe('200')
    expect(isReplay(anew)).toBe(false)
    expect(anew.body.task_id).not.toBe(first.body.task_id)

    await stage.travel(DAY)
    await stage.node().service.world.store.transaction((tx) => tx.forgetExpired(stage.now()))
    expect(await keysOnRecord()).toBe(0)
  })
})

describe('the same key', () => {
  test('with another body is 422, also when only the order of its fields is another', async () => {
    const poster = await newAgent(stage)
    const key = newKey()
    await send(stage, post(poster, '/v1/tasks', aTask), under(key))
    const { title, description } = aTask
    for (const body of [
      { ...aTask, title: 'Another' },
      { description, title },
    ]) {
      const answer = await send(stage, post(poster, '/v1/tasks', body), under(key))
      expect(outcomeOf(answer)).toBe('422 idempotency_key_reused')
    }
    expect(await tasksOf(poster.id)).toHaveLength(1)
  })

  test('of another agent, or on another path, is another key', async () => {
    const [poster, other] = [await newAgent(stage), await newAgent(stage)]
    const key = newKey()
    const first = await send(stage, post(poster, '/v1/tasks', aTask), under(key))
    const second = await send(stage, post(other, '/v1/tasks', aTask), under(key))
    expect(outcomeOf(second)).toBe('200')
    expect(second.body.task_id).not.toBe(first.body.task_id)
    const cancelled = await send(stage, post(poster, `/v1/tasks/${first.body.task_id}/cancel`), under(key))
    expect(outcomeOf(cancelled)).toBe('200')
    expect(isReplay(cancelled)).toBe(false)
  })

  test('is not used up by a refusal: it may come back when the refusal no longer holds', async () => {
    const poster = await newAgent(stage)
    const worker = await newAgent(stage)
    const key = newKey()
    const id = await postFree(poster)
    const deliver = () => send(stage, post(worker, `/v1/tasks/${id}/deliver`, aDelivery), under(key))
    expect(outcomeOf(await deliver())).toBe('409 invalid_state')
    await worker.client.tasks.claim(id)
    expect(outcomeOf(await deliver())).toBe('200')
    expect(isReplay(await deliver())).toBe(true)
  })

  test.each(['1234567', 'x'.repeat(129), 'with space', 'slash/slash', 'umlaut-ü-', ''])(
    'of a form that is not allowed is 400: %j',
    async (key) => {
      const poster = await newAgent(stage)
      const headers = { 'Idempotency-Key': Buffer.from(key).toString('latin1') }
      const answer = await send(stage, post(poster, '/v1/tasks', aTask), { headers })
      expect(outcomeOf(answer)).toBe('400 bad_request')
      expect(await tasksOf(poster.id)).toEqual([])
    },
  )

  test.each(['12345678', 'x'.repeat(128), 'A-z_0:9.'])('may be %j', async (key) => {
    const poster = await newAgent(stage)
    expect(outcomeOf(await send(stage, post(poster, '/v1/tasks', aTask), under(key)))).toBe('200')
  })

  test('does not replace a signature', async () => {
    const poster = await newAgent(stage)
    const key = newKey()
    const request = post(poster, '/v1/tasks', aTask)
    await send(stage, request, under(key))
    const unsigned: RawRequest = { ...request, headers: { 'Content-Type': 'application/json' } }
    expect(outcomeOf(await send(stage, unsigned, under(key)))).toBe('401 auth_required')
  })

  test('means nothing where nothing is changed', async () => {
    const answer = await fetch(`${stage.node().url}/v1/tasks`, { headers: { 'Idempotency-Key': 'short' } })
    expect(answer.status).toBe(200)
  })
})

describe('a paid request', () => {
  const withBounty = { ...aTask, bounty: aBounty() }

  test('keeps its key from the 402 to the answer, which is told again with its PAYMENT-RESPONSE', async () => {
    const buyer = await newBuyer(stage)
    const key = newKey()
    const asked = await send(stage, post(buyer, '/v1/tasks', withBounty), under(key))
    expect(outcomeOf(asked)).toBe('402 payment_required')
    const { terms } = await askPrice(stage, buyer, '/v1/tasks', withBounty)
    const { header } = await signPayment(stage, terms, buyer.wallet)
    const paid = () => send(stage, post(buyer, '/v1/tasks', withBounty), under(key, { 'PAYMENT-SIGNATURE': header }))
    const first = await paid()
    expect(outcomeOf(first)).toBe('200')
    const again = await paid()
    expect(isReplay(again)).toBe(true)
    expect(again.body).toEqual(first.body)
    expect(again.headers.get('payment-response')).toBe(first.headers.get('payment-response'))
    expect(again.headers.get('cache-control')).toBe('private, no-store')
  })

  test('is not asked to pay a second time, nor lets a second payment in', async () => {
    const buyer = await newBuyer(stage)
    const key = newKey()
    const { terms } = await askPrice(stage, buyer, '/v1/tasks', withBounty)
    const pay = async () => {
      const { header } = await signPayment(stage, terms, buyer.wallet)
      return send(stage, post(buyer, '/v1/tasks', withBounty), under(key, { 'PAYMENT-SIGNATURE': header }))
    }
    const first = await pay()
    const withoutPayment = await send(stage, post(buyer, '/v1/tasks', withBounty), under(key))
    expect(isReplay(withoutPayment)).toBe(true)
    expect(withoutPayment.body).toEqual(first.body)
    expect(outcomeOf(await pay())).toBe('422 idempotency_key_reused')
    expect(await timesPaid(stage.chain(), buyer.wallet.address)).toBe(1)
  })

  test('that accepts with a payment is answered alike', async () => {
    const buyer = await newBuyer(stage)
    const worker = await newWorker(stage)
    const { task_id: id } = await buyer.client.tasks.post({ ...withBounty, escrow: false })
    await claimAndDeliver(worker, id)
    const { terms } = await askPrice(stage, buyer, `/v1/tasks/${id}/accept`)
    const { header } = await signPayment(stage, terms, buyer.wallet)
    const key = newKey()
    const accept = () => send(stage, post(buyer, `/v1/tasks/${id}/accept`), under(key, { 'PAYMENT-SIGNATURE': header }))
    const first = await accept()
    expect(outcomeOf(first)).toBe('200')
    expect((await accept()).body).toEqual(first.body)
    expect(await timesPaid(stage.chain(), buyer.wallet.address)).toBe(1)
  })

  test('without a payment releases an escrow once', async () => {
    const buyer = await newBuyer(stage)
    const worker = await newWorker(stage)
    const id = await deliveredTask(buyer, worker)
    const key = newKey()
    const accept = () => send(stage, post(buyer, `/v1/tasks/${id}/accept`, { rating: 5 }), under(key))
    const first = await accept()
    expect(first.body).toMatchObject({ status: 'verified', payment_status: 'settled', rating: 5 })
    expect((await accept()).body).toEqual(first.body)
  })
})

async function keysOnRecord(): Promise<number> {
  const sql = new Client({ connectionString: stage.databaseUrl })
  await sql.connect()
  const { rows } = await sql.query('select count(*)::int as found from repeat_keys')
  await sql.end()
  return rows[0].found
}
