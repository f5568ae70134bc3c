import { DAY } from '@guildhall/protocol'
import { describe, expect, test } from 'vitest'
import { newAgent, newBuyer, newWorker } from './support/cast.ts'
import { usdcOf } from './support/chain-calls.ts'
import { refusalOf } from './support/refusals.ts'
import { BASE, setStage } from './support/stage.ts'
import { stopClock } from './support/stopped-clock.ts'
import { aDelivery, claimAndDeliver, deliveredTask, postEscrowed, postFree } from './support/tasks.ts'

/** Nodes that only answer: what falls due happens when a story says so, or when somebody comes by. */
const stage = setStage({ nodes: 2, settings: { GUILDHALL_ROLE: 'api' } })
const clock = stopClock(stage)

const task = async (id: string) => (await stage.client().tasks.get(id)).task
const timeOf = (text: string | null): number => Date.parse(text ?? '')

async function claimedTask() {
  const [poster, worker] = [await newAgent(stage), await newAgent(stage)]
  const id = await postFree(poster)
  await worker.client.tasks.claim(id)
  return { poster, worker, id, end: timeOf((await task(id)).claim_expires_at) }
}

describe('a claim', () => {
  test('lapses after seven days, not before; the claimer is told and the deposit stays held', async () => {
    const [buyer, worker] = [await newBuyer(stage), await newWorker(stage)]
    const id = await postEscrowed(buyer, { expires_in_days: 30 })
    await worker.client.tasks.claim(id)
    const { claim_expires_at, claimed_at } = await task(id)
    expect(timeOf(claim_expires_at)).toBe(timeOf(claimed_at) + 7 * DAY)
    await clock.at(timeOf(claim_expires_at) - 1)
    await stage.runDue()
    expect(await task(id)).toMatchObject({ status: 'claimed', claimed_by_agent_id: worker.id })
    await clock.at(claim_expires_at)
    await stage.runDue()
    const reopened = await task(id)
    expect(reopened).toMatchObject({
      status: 'open',
      claimed_by_agent_id: null,
      claimable: true,
      escrow: { status: 'funded' },
    })
    expect(timeOf(reopened.expires_at)).toBe(stage.now() + 30 * DAY)
    const { events } = await worker.client.events.list({ type: 'task.claim_expired' })
    expect(events).toMatchObject([{ ref_id: id, created_at: claim_expires_at }])
    expect(await worker.client.agents.claimBudget()).toMatchObject({ expired_claims: 1, active_claims: 0, budget: 2 })
  })

  test('is kept by a delivery in its last millisecond, and lost a millisecond later', async () => {
    const [kept, lost] = [await claimedTask(), await claimedTask()]
    expect(kept.end).toBe(lost.end)
    await clock.at(kept.end - 1)
    const [delivered] = await Promise.all([kept.worker.client.tasks.deliver(kept.id, aDelivery), stage.runDue(1)])
    expect(delivered).toMatchObject({ status: 'submitted' })
    await clock.at(lost.end)
    const [refused] = await Promise.all([
      refusalOf(lost.worker.client.tasks.deliver(lost.id, aDelivery), 'invalid_state'),
      stage.runDue(1),
    ])
    expect(refused.fields.status).toBe('open')
    expect(await task(kept.id)).toMatchObject({ status: 'submitted', claim_expires_at: null })
    expect(await task(lost.id)).toMatchObject({ status: 'open' })
  })

  test('that has lapsed frees the task even before the sweeper has run', async () => {
    const { worker, id, end } = await claimedTask()
    const next = await newAgent(stage)
    await clock.at(end - 1)
    await refusalOf(next.client.tasks.claim(id), 'conflict')
    await clock.at(end)
    expect(await next.with({ node: 1 }).tasks.claim(id)).toMatchObject({ status: 'claimed' })
    expect(await task(id)).toMatchObject({ claimed_by_agent_id: next.id })
    await refusalOf(worker.client.tasks.deliver(id, aDelivery), 'forbidden')
    await stage.runDue()
    expect((await worker.client.events.list({ type: 'task.claim_expired' })).events).toHaveLength(1)
    expect(await task(id)).toMatchObject({ status: 'claimed', claimed_by_agent_id: next.id })
  })

  test('that has lapsed counts against its claimer who comes back before the sweeper has run', async () => {
    const { poster, worker, id, end } = await claimedTask()
    await clock.at(end - DAY)
    for (let nr = 0; nr < 2; nr++) await worker.client.tasks.claim(await postFree(poster))
    await clock.at(end)
    const refused = await refusalOf(worker.client.tasks.claim(id), 'claim_budget_exhausted')
    expect(refused.fields).toEqual({ budget: 2, active_claims: 2 })
  })

  test('is renewed by a revision', async () => {
    const { poster, worker, id, end } = await claimedTask()
    await clock.at(end - DAY)
    await worker.client.tasks.deliver(id, aDelivery)
    await poster.client.tasks.revision(id, { note: 'Again.' })
    const renewed = stage.now() + 7 * DAY
    expect(timeOf((await task(id)).claim_expires_at)).toBe(renewed)
    await clock.at(renewed - 1)
    await stage.runDue()
    expect(await task(id)).toMatchObject({ status: 'claimed' })
    await clock.at(renewed)
    await stage.runDue()
    expect(await task(id)).toMatchObject({ status: 'open', review_state: null, revision_count: 1 })
  })
})

describe('an unreviewed delivery', () => {
  test('is accepted seven days after it, not before, and paid; no rating is set', async () => {
    const [buyer, worker] = [await newBuyer(stage), await newWorker(stage)]
    const id = await deliveredTask(buyer, worker)
    const { auto_release_at, submitted_at } = await task(id)
    expect(timeOf(auto_release_at)).toBe(timeOf(submitted_at) + 7 * DAY)
    await clock.at(timeOf(auto_release_at) - 1)
    await stage.runDue()
    expect(await task(id)).toMatchObject({ status: 'submitted' })
    await clock.at(auto_release_at)
    await Promise.all([stage.runDue(0), stage.runDue(1)])
    expect(await task(id)).toMatchObject({
      status: 'verified',
      accepted_by: 'auto',
      verified_at: auto_release_at,
      payment_status: 'settled',
      rating: null,
    })
    expect(await usdcOf(stage.chain(), worker.wallet.address)).toBe(5_000_000n)
    expect(await worker.client.agents.claimBudget()).toMatchObject({ accepted_deliveries: 0 })
    for (const player of [buyer, worker]) {
      expect((await player.client.events.list({ type: 'task.verified' })).events).toHaveLength(1)
    }
  })

  test('is the timer’s when the poster accepts in the same millisecond: one acceptance, one release', async () => {
    const [buyer, worker] = [await newBuyer(stage), await newWorker(stage)]
    const id = await deliveredTask(buyer, worker)
    await clock.at((await task(id)).auto_release_at)
    const [accepted] = await Promise.all([buyer.client.tasks.accept(id, { rating: 1 }), stage.runDue(1)])
    expect(accepted).toMatchObject({ accepted_by: 'auto', rating: null })
    await stage.runDue()
    expect(await task(id)).toMatchObject({ accepted_by: 'auto', payment_status: 'settled' })
    expect(await usdcOf(stage.chain(), worker.wallet.address)).toBe(5_000_000n)
  })

  test('is disputed in the last millisecond of its review, and no later', async () => {
    const [buyer, worker] = [await newBuyer(stage), await newWorker(stage)]
    const [early, late] = [await deliveredTask(buyer, worker), await deliveredTask(buyer, worker)]
    const end = timeOf((await task(early)).auto_release_at)
    await clock.at(end - 1)
    expect(await buyer.client.tasks.dispute(early, { reason: 'No.' })).toMatchObject({ review_state: 'disputed' })
    await clock.at(end)
    await refusalOf(buyer.client.tasks.dispute(late, { reason: 'No.' }), 'invalid_state')
    await stage.runDue()
    expect(await task(early)).toMatchObject({ status: 'submitted', review_state: 'disputed' })
    expect(await task(late)).toMatchObject({ status: 'verified', accepted_by: 'auto' })
  })

  test('waits for a wallet to pay to, and is accepted once there is one', async () => {
    const [buyer, worker] = [await newBuyer(stage), await newWorker(stage)]
    const id = await deliveredTask(buyer, worker)
    await worker.client.wallet.clear()
    await clock.at((await task(id)).auto_release_at)
    await stage.runDue()
    expect(await task(id)).toMatchObject({ status: 'submitted', escrow: { status: 'funded' } })
    await worker.client.wallet.prove(worker.wallet, BASE)
    await clock.at(stage.now() + 10 * 60_000)
    await stage.runDue()
    expect(await task(id)).toMatchObject({ status: 'verified', payment_status: 'settled' })
  })
})

describe('an open task', () => {
  test('expires at the end of its window, not before, and is refunded', async () => {
    const buyer = await newBuyer(stage)
    const id = await postEscrowed(buyer, { expires_in_days: 1 })
    const { expires_at, created_at } = await task(id)
    expect(timeOf(expires_at)).toBe(timeOf(created_at) + DAY)
    await clock.at(timeOf(expires_at) - 1)
    await stage.runDue()
    expect(await task(id)).toMatchObject({ status: 'open' })
    await clock.at(expires_at)
    await Promise.all([stage.runDue(0), stage.runDue(1)])
    expect(await task(id)).toMatchObject({ status: 'expired', expired_at: expires_at, payment_status: 'refunded' })
    expect(await usdcOf(stage.chain(), buyer.wallet.address)).toBe(100_000_000n)
  })

  test('is claimed in its last millisecond, and no later, whether the sweeper has run or not', async () => {
    const [poster, worker] = [await newAgent(stage), await newAgent(stage)]
    const [early, late] = [
      await postFree(poster, { expires_in_days: 1 }),
      await postFree(poster, { expires_in_days: 1 }),
    ]
    const end = timeOf((await task(late)).expires_at)
    await clock.at(end - 1)
    expect(await worker.client.tasks.claim(early)).toMatchObject({ status: 'claimed' })
    await clock.at(end)
    expect((await refusalOf(worker.client.tasks.claim(late), 'conflict')).fields.status).toBe('expired')
    await stage.runDue()
    expect(await task(late)).toMatchObject({ status: 'expired' })
    expect(await task(early)).toMatchObject({ status: 'claimed' })
  })
})

test('a hundred tasks that fell due while nobody was there are done once each, by two nodes together', async () => {
  const [poster, worker] = [await newAgent(stage), await newAgent(stage)]
  const open = await Promise.all(Array.from({ length: 90 }, () => postFree(poster, { expires_in_days: 3 })))
  const submitted = await Promise.all(Array.from({ length: 10 }, () => postFree(poster)))
  for (const id of submitted) await claimAndDeliver(worker, id)
  await clock.at(stage.now() + 8 * DAY)
  await Promise.all([stage.runDue(0), stage.runDue(1), stage.runDue(0), stage.runDue(1)])
  const after = []
  for (const id of [...open, ...submitted]) after.push(await task(id))
  expect(Map.groupBy(after, ({ status }) => status).get('expired')).toHaveLength(90)
  expect(Map.groupBy(after, ({ accepted_by }) => accepted_by).get('auto')).toHaveLength(10)
  const told = await poster.client.events.list({ type: 'task.expired', limit: 100 })
  expect(told.events).toHaveLength(90)
})
