import { Client } from 'pg'
import { describe, expect, test } from 'vitest'
import { newAgent, newBuyer, newWorker, type Player } from './support/cast.ts'
import { usdcOf } from './support/chain-calls.ts'
import { outcomeOf, type RawRequest, send, signed } from './support/raw.ts'
import { setStage } from './support/stage.ts'
import { aDelivery, deliveredTask, postEscrowed, postFree } from './support/tasks.ts'

const stage = setStage({ nodes: 2 })
const task = async (id: string) => (await stage.client().tasks.get(id)).task

/** The outcomes of calls that are made at the same moment, alternating between the nodes. */
const allAtOnce = async (calls: readonly (readonly [player: Player, path: string, body?: unknown])[]) => {
  const requests = calls.map(([player, path, body]) => signed(stage, player, 'POST', path, body))
  return Promise.all(requests.map((request, place) => outcomeAt(request, place % 2)))
}

const outcomeAt = async (request: RawRequest, node: number): Promise<string> =>
  outcomeOf(await send(stage, request, { node }))
const times = (count: number) => Array.from({ length: count }, (_, place) => place)
const countOf = (outcomes: readonly string[], wanted: string) => outcomes.filter((outcome) => outcome === wanted).length

describe('one winner:', () => {
  test('a hundred claims by twenty agents over two nodes', async () => {
    const poster = await newAgent(stage)
    const agents = await Promise.all(times(20).map(() => newAgent(stage)))
    const id = await postFree(poster)
    const claims = times(100).map((place) => [agents[place % 20] ?? poster, `/v1/tasks/${id}/claim`] as const)
    const outcomes = await allAtOnce(claims)
    expect(countOf(outcomes, '200')).toBe(1)
    expect(countOf(outcomes, '409 conflict')).toBe(99)
    const budgets = await Promise.all(agents.map(({ client }) => client.agents.claimBudget()))
    expect(budgets.reduce((sum, { active_claims }) => sum + active_claims, 0)).toBe(1)
  })

  test('sixteen agents that claim and deliver different tasks at once share transactions, and each gets its own', async () => {
    const poster = await newAgent(stage)
    const agents = await Promise.all(times(16).map(() => newAgent(stage)))
    const ids = await Promise.all(agents.map(() => postFree(poster)))
    const each = (verb: string, body?: unknown) =>
      agents.map((agent, place) => signed(stage, agent, 'POST', `/v1/tasks/${ids[place]}/${verb}`, body))
    const allOnOneNode = (requests: readonly RawRequest[]) =>
      Promise.all(requests.map((request) => outcomeAt(request, 0)))
    expect(countOf(await allOnOneNode(each('claim')), '200')).toBe(16)
    expect(countOf(await allOnOneNode(each('deliver', aDelivery)), '200')).toBe(16)
    const found = await Promise.all(ids.map(task))
    expect(found.map(({ claimed_by_agent_id }) => claimed_by_agent_id)).toEqual(agents.map(({ id }) => id))
    const receipts = (await Promise.all(ids.map((id) => stage.client().tasks.receipts(id)))).flat()
    expect(new Set(receipts.map(({ chain_sequence }) => chain_sequence)).size).toBe(16)
    const sql = new Client({ connectionString: stage.databaseUrl })
    await sql.connect()
    const { rows } = await sql.query('select distinct xmin::text from submissions where task_id = any($1)', [ids])
    await sql.end()
    expect(rows.length).toBeLessThan(16)
  })

  test('one agent never holds more claims than its budget, however fast it is', async () => {
    const [poster, worker] = [await newAgent(stage), await newAgent(stage)]
    const ids = await Promise.all(times(20).map(() => postFree(poster)))
    const outcomes = await allAtOnce(ids.map((id) => [worker, `/v1/tasks/${id}/claim`] as const))
    expect(countOf(outcomes, '200')).toBe(10)
    expect(countOf(outcomes, '409 claim_budget_exhausted')).toBe(10)
  })

  test('ten acceptances release once and all give the same answer', async () => {
    const [buyer, worker] = [await newBuyer(stage), await newWorker(stage)]
    const id = await deliveredTask(buyer, worker)
    const outcomes = await allAtOnce(times(10).map(() => [buyer, `/v1/tasks/${id}/accept`] as const))
    expect(countOf(outcomes, '200')).toBe(10)
    expect(await buyer.client.tasks.accept(id)).toMatchObject({ payment_status: 'settled', accepted_by: 'creator' })
    expect(await usdcOf(stage.chain(), worker.wallet.address)).toBe(5_000_000n)
  })

  test('one delivery sent five times makes one receipt', async () => {
    const [poster, worker] = [await newAgent(stage), await newAgent(stage)]
    const id = await postFree(poster)
    await worker.client.tasks.claim(id)
    const outcomes = await allAtOnce(times(5).map(() => [worker, `/v1/tasks/${id}/deliver`, aDelivery] as const))
    expect(countOf(outcomes, '200')).toBe(1)
    expect(countOf(outcomes, '409 invalid_state')).toBe(4)
    expect(await stage.client().tasks.receipts(id)).toHaveLength(1)
  })

  test('one signed request at both nodes is carried out once', async () => {
    const [poster, worker] = [await newAgent(stage), await newAgent(stage)]
    const id = await postFree(poster)
    const request = signed(stage, worker, 'POST', `/v1/tasks/${id}/claim`)
    const answers = await Promise.all([0, 1, 0, 1].map((node) => send(stage, request, { node })))
    const outcomes = answers.map(outcomeOf)
    expect(countOf(outcomes, '200')).toBe(1)
    expect(outcomes.every((outcome) => ['200', '401 signature_replayed', '409 conflict'].includes(outcome))).toBe(true)
    expect(outcomeOf(await send(stage, request))).toBe('401 signature_replayed')
  })
})

describe('one story:', () => {
  const ROUNDS = 6

  test('claim against cancel: claimed and then cancelled, or cancelled; refunded once either way', async () => {
    const [buyer, worker] = [await newBuyer(stage), await newWorker(stage)]
    for (const round of times(ROUNDS)) {
      const id = await postEscrowed(buyer)
      const claim = [worker, `/v1/tasks/${id}/claim`] as const
      const cancel = [buyer, `/v1/tasks/${id}/cancel`] as const
      const outcomes = await allAtOnce(round % 2 === 0 ? [claim, cancel] : [cancel, claim])
      const [claimed = '', cancelled = ''] = round % 2 === 0 ? outcomes : outcomes.toReversed()
      expect(cancelled).toBe('200')
      expect(['200', '409 conflict']).toContain(claimed)
      expect(await task(id)).toMatchObject({ status: 'cancelled', payment_status: 'refunded' })
      const { events } = await worker.client.events.list({ type: 'task.cancelled' })
      expect(events.filter(({ ref_id }) => ref_id === id)).toHaveLength(claimed === '200' ? 1 : 0)
    }
    expect(await usdcOf(stage.chain(), buyer.wallet.address)).toBe(100_000_000n)
  })

  test.each([
    ['dispute', { reason: 'No.' }],
    ['revision', { note: 'Again.' }],
  ])('accept against %s: one of them, and what follows from it alone', async (other, body) => {
    const [buyer, worker] = [await newBuyer(stage), await newWorker(stage)]
    let accepted = 0
    for (const round of times(ROUNDS)) {
      const id = await deliveredTask(buyer, worker)
      const accept = [buyer, `/v1/tasks/${id}/accept`] as const
      const against = [buyer, `/v1/tasks/${id}/${other}`, body] as const
      const outcomes = await allAtOnce(round % 2 === 0 ? [accept, against] : [against, accept])
      const { status, review_state, escrow } = await task(id)
      if (status === 'verified') {
        accepted++
        expect(escrow?.status).toMatch(/^releas/)
      } else {
        expect(outcomes).toContain('200')
        expect(review_state).toBe(other === 'dispute' ? 'disputed' : 'revision_requested')
        expect(escrow?.status).toBe('funded')
      }
    }
    await stage.runDue()
    expect(await usdcOf(stage.chain(), worker.wallet.address)).toBe(BigInt(accepted) * 5_000_000n)
  })

  test('cancel against cancel refunds once', async () => {
    const buyer = await newBuyer(stage)
    const id = await postEscrowed(buyer)
    const outcomes = await allAtOnce(times(6).map(() => [buyer, `/v1/tasks/${id}/cancel`] as const))
    expect(countOf(outcomes, '200')).toBe(1)
    expect(countOf(outcomes, '409 conflict')).toBe(5)
    expect(await usdcOf(stage.chain(), buyer.wallet.address)).toBe(100_000_000n)
  })

  test('the jobs of both nodes, run over and over, do everything once', async () => {
    const [buyer, worker] = [await newBuyer(stage), await newWorker(stage)]
    await buyer.client.sandbox.setFaults({ facilitator: 'down' })
    await buyer.client.sandbox.setFaults({ facilitator: 'ok' })
    const ids = await Promise.all(times(6).map(() => postEscrowed(buyer)))
    for (const id of ids) await worker.client.tasks.claim(id)
    for (const id of ids) await worker.client.tasks.deliver(id, aDelivery)
    await buyer.client.sandbox.setFaults({ facilitator: 'settle_reverts' })
    await Promise.all(ids.map((id) => buyer.client.tasks.accept(id)))
    await buyer.client.sandbox.setFaults({ facilitator: 'ok' })
    await stage.moveClocks(180_000)
    await Promise.all(times(6).map((place) => stage.runDue(place % 2)))
    const after = await Promise.all(ids.map(task))
    expect(after.every(({ payment_status }) => payment_status === 'settled')).toBe(true)
    expect(await usdcOf(stage.chain(), worker.wallet.address)).toBe(30_000_000n)
  })
})
