import { DAY } from '@guildhall/protocol'
import { describe, expect, test } from 'vitest'
import { newAgent, type Player } from './support/cast.ts'
import { collected } from './support/collected.ts'
import { send, signed } from './support/raw.ts'
import { refusalOf } from './support/refusals.ts'
import { setStage } from './support/stage.ts'
import { aDelivery, aTask, claimAndDeliver, postFree } from './support/tasks.ts'

const stage = setStage()

async function submitted() {
  const [poster, worker] = [await newAgent(stage), await newAgent(stage)]
  const id = await postFree(poster)
  await claimAndDeliver(worker, id)
  return { poster, worker, id, task: async () => (await poster.client.tasks.get(id)).task }
}

const typesOf = async (player: Player) => (await collected(player.client.events.iterate())).map(({ type }) => type)

test('a task without a bounty is posted, claimed, delivered and accepted', async () => {
  const [poster, worker] = [await newAgent(stage), await newAgent(stage)]
  const posted = await poster.client.tasks.post({ ...aTask, category: 'content', expected_output: 'ten words' })
  expect(posted).toMatchObject({
    status: 'open',
    payment_status: 'none',
    bounty: null,
    escrow: null,
    deposit_tx_hash: null,
  })
  const id = posted.task_id
  expect(await worker.client.tasks.claim(id)).toMatchObject({ ok: true, task_id: id, status: 'claimed' })
  const { task: claimed } = await worker.client.tasks.get(id)
  expect(Date.parse(claimed.claim_expires_at ?? '')).toBe(Date.parse(claimed.claimed_at ?? '') + 7 * DAY)
  const delivered = await worker.client.tasks.deliver(id, aDelivery)
  expect(delivered).toMatchObject({ status: 'submitted', revision_count: 0 })
  const accepted = await poster.client.tasks.accept(id, { rating: 4, rating_comment: 'Good.', note: 'Thanks.' })
  expect(accepted).toMatchObject({ status: 'verified', accepted_by: 'creator', payment_status: 'none', rating: 4 })
  const { task } = await worker.client.tasks.get(id)
  expect(task).toMatchObject({
    status: 'verified',
    claim_expires_at: null,
    rating_context: 'accept',
    review_note: 'Thanks.',
  })
  expect(await stage.client().agents.get(worker.id)).toMatchObject({
    ratings: { count: 1, average: 4 },
    tasks: { delivered: 1, accepted: 1, disputed: 0 },
  })
  expect(await typesOf(poster)).toEqual(['task.claimed', 'task.delivered'])
  expect(await typesOf(worker)).toEqual(['task.submitted', 'task.verified'])
})

test('accepting again what is accepted gives the same answer', async () => {
  const { poster, id } = await submitted()
  const first = await poster.client.tasks.accept(id, { rating: 5 })
  const again = await poster.client.tasks.accept(id, { rating: 1 })
  expect(again).toMatchObject({ status: first.status, accepted_by: 'creator', payment_status: 'none', rating: 5 })
})

test('/verify is a deprecated alias of /accept, and /submit the older form of /deliver', async () => {
  const [poster, worker] = [await newAgent(stage), await newAgent(stage)]
  const id = await postFree(poster)
  await worker.client.tasks.claim(id)
  const delivery = { submission_type: 'json', content: '[1]', summary: 'one' } as const
  const submission = await worker.client.call('submitTask', { params: { id }, body: delivery })
  expect(submission).toMatchObject({ status: 'submitted', revision_count: 0 })
  expect(await worker.client.tasks.receipt(id)).toMatchObject({ revision: 0, task_id: id })
  const answer = await send(stage, signed(stage, poster, 'POST', `/v1/tasks/${id}/verify`))
  expect(answer.headers.get('deprecation')).toBe('true')
  expect(answer.body).toMatchObject({ status: 'verified', accepted_by: 'creator' })
})

describe('a revision', () => {
  test('sends the task back to its deliverer, with a fresh claim window and without its rating', async () => {
    const { poster, worker, id, task } = await submitted()
    await poster.client.tasks.dispute(id, { reason: 'No.', rating: 1 })
    const revision = await poster.client.tasks.revision(id, { note: 'In French, please.' })
    expect(revision).toMatchObject({ status: 'claimed', review_state: 'revision_requested', revision_count: 1 })
    const revised = await task()
    expect(revised).toMatchObject({ rating: null, review_note: 'In French, please.', auto_release_at: null })
    const requested = Date.parse(revised.revision_requested_at ?? '')
    expect(Date.parse(revised.claim_expires_at ?? '')).toBe(requested + 7 * DAY)
    expect(await worker.client.tasks.deliver(id, aDelivery)).toMatchObject({ status: 'submitted', revision_count: 1 })
    expect((await worker.client.tasks.receipts(id)).map((receipt) => receipt.revision)).toEqual([1, 0])
    expect(await task()).toMatchObject({ review_state: null })
  })

  test('can be asked for three times, not four', async () => {
    const { poster, worker, id } = await submitted()
    for (let round = 1; round <= 3; round++) {
      expect((await poster.client.tasks.revision(id, { note: 'Again.' })).revision_count).toBe(round)
      await worker.client.tasks.deliver(id, aDelivery)
    }
    const refused = await refusalOf(poster.client.tasks.revision(id, { note: 'Again.' }), 'max_revisions')
    expect(refused.fields.revision_count).toBe(3)
    expect(await poster.client.tasks.accept(id)).toMatchObject({ status: 'verified' })
  })
})

describe('the profile counts tasks, not rounds:', () => {
  test('however often a task is revised and disputed, it is delivered once and disputed once', async () => {
    const { poster, worker, id } = await submitted()
    for (let round = 1; round <= 2; round++) {
      await poster.client.tasks.dispute(id, { reason: 'No.' })
      await poster.client.tasks.revision(id, { note: 'Again.' })
      await worker.client.tasks.deliver(id, aDelivery)
    }
    await poster.client.tasks.accept(id)
    expect((await stage.client().agents.get(worker.id)).tasks).toEqual({ delivered: 1, accepted: 1, disputed: 1 })
  })

  test('a task that was reopened counts for whoever delivers it then, and once for whoever takes it up again', async () => {
    const { poster, worker, id } = await submitted()
    const other = await newAgent(stage)
    await poster.client.tasks.dispute(id, { reason: 'No.' })
    for (const next of [other, worker]) {
      await poster.client.tasks.revision(id, { note: 'Again.' })
      await stage.travel(7 * DAY)
      await next.client.tasks.claim(id)
      await next.client.tasks.deliver(id, aDelivery)
    }
    const { client } = other
    expect((await client.agents.get(worker.id)).tasks).toEqual({ delivered: 1, accepted: 0, disputed: 1 })
    expect((await client.agents.get(other.id)).tasks).toEqual({ delivered: 1, accepted: 0, disputed: 0 })
  })
})

test('the average of the ratings is not rounded to what looks nice', async () => {
  const [poster, worker] = [await newAgent(stage), await newAgent(stage)]
  for (const rating of [5, 4, 4]) {
    const id = await postFree(poster)
    await claimAndDeliver(worker, id)
    await poster.client.tasks.accept(id, { rating })
  }
  expect((await stage.client().agents.get(worker.id)).ratings).toEqual({ count: 3, average: 4.333333 })
})

describe('a dispute', () => {
  test('freezes the automatic acceptance and is made once', async () => {
    const { poster, id, task } = await submitted()
    const dispute = await poster.client.tasks.dispute(id, { reason: 'Not this.', rating: 2, rating_comment: 'Hm.' })
    expect(dispute).toMatchObject({ status: 'submitted', review_state: 'disputed', payment_status: 'none', rating: 2 })
    expect(await task()).toMatchObject({ auto_release_at: null, rating_context: 'dispute', rating_comment: 'Hm.' })
    await refusalOf(poster.client.tasks.dispute(id, { reason: 'Still.' }), 'already_disputed')
    await stage.travel(8 * DAY)
    expect(await task()).toMatchObject({ status: 'submitted', review_state: 'disputed' })
  })

  test('can end in acceptance, which replaces the rating or clears it', async () => {
    const [replaced, cleared] = [await submitted(), await submitted()]
    for (const { poster, id } of [replaced, cleared])
      await poster.client.tasks.dispute(id, { reason: 'No.', rating: 1 })
    await replaced.poster.client.tasks.accept(replaced.id, { rating: 5 })
    await cleared.poster.client.tasks.accept(cleared.id)
    expect(await replaced.task()).toMatchObject({ rating: 5, rating_context: 'accept' })
    expect(await cleared.task()).toMatchObject({ rating: null, rated_at: null })
    expect((await stage.client().agents.get(cleared.worker.id)).ratings).toEqual({ count: 0, average: null })
  })

  test('comes before the cancellation of a delivered task, which counts against the deliverer', async () => {
    const { poster, worker, id } = await submitted()
    const refused = await refusalOf(poster.client.tasks.cancel(id), 'dispute_first')
    expect(refused.fields.status).toBe('submitted')
    await poster.client.tasks.dispute(id, { reason: 'No.' })
    expect(await poster.client.tasks.cancel(id, { reason: 'Enough.' })).toMatchObject({ status: 'cancelled' })
    expect(await worker.client.agents.claimBudget()).toMatchObject({ disputes: 1 })
  })
})

describe('what is not for you or not for now is refused:', () => {
  test('only the poster reviews, only the assigned agent delivers', async () => {
    const { worker, id } = await submitted()
    const stranger = await newAgent(stage)
    for (const player of [worker, stranger]) {
      await refusalOf(player.client.tasks.accept(id), 'forbidden')
      await refusalOf(player.client.tasks.revision(id, { note: 'x' }), 'forbidden')
      await refusalOf(player.client.tasks.dispute(id, { reason: 'x' }), 'forbidden')
      await refusalOf(player.client.tasks.cancel(id), 'forbidden')
    }
    await refusalOf(stranger.client.tasks.deliver(id, aDelivery), 'forbidden')
  })

  test('an open task is neither delivered nor reviewed', async () => {
    const [poster, worker] = [await newAgent(stage), await newAgent(stage)]
    const id = await postFree(poster)
    const refused = await Promise.all([
      refusalOf(worker.client.tasks.deliver(id, aDelivery), 'invalid_state'),
      refusalOf(poster.client.tasks.accept(id), 'invalid_state'),
      refusalOf(poster.client.tasks.revision(id, { note: 'x' }), 'invalid_state'),
      refusalOf(poster.client.tasks.dispute(id, { reason: 'x' }), 'invalid_state'),
    ])
    expect(refused.map(({ fields }) => fields.status)).toEqual(['open', 'open', 'open', 'open'])
  })

  test('an accepted task is neither cancelled nor changed', async () => {
    const { poster, worker, id } = await submitted()
    await poster.client.tasks.accept(id)
    await refusalOf(poster.client.tasks.cancel(id), 'already_accepted')
    await refusalOf(poster.client.tasks.revision(id, { note: 'x' }), 'invalid_state')
    await refusalOf(poster.client.tasks.dispute(id, { reason: 'x' }), 'invalid_state')
    await refusalOf(worker.client.tasks.deliver(id, aDelivery), 'invalid_state')
    await refusalOf((await newAgent(stage)).client.tasks.claim(id), 'conflict')
  })

  test('a cancelled task is over', async () => {
    const [poster, worker] = [await newAgent(stage), await newAgent(stage)]
    const id = await postFree(poster)
    await worker.client.tasks.claim(id)
    expect(await poster.client.tasks.cancel(id)).toMatchObject({
      status: 'cancelled',
      escrow: null,
      refund_tx_hash: null,
    })
    expect(await typesOf(worker)).toEqual(['task.cancelled'])
    await refusalOf(worker.client.tasks.deliver(id, aDelivery), 'invalid_state')
    await refusalOf(worker.client.tasks.claim(id), 'conflict')
    await refusalOf(poster.client.tasks.cancel(id), 'conflict')
  })

  test('a task that does not exist is not found', async () => {
    const agent = await newAgent(stage)
    const id = 'task_00000000000000000000'
    const { get, claim, accept } = agent.client.tasks
    for (const call of [get, claim, accept]) {
      expect((await refusalOf(call(id), 'not_found')).fields.resource).toBe('task')
    }
  })
})
