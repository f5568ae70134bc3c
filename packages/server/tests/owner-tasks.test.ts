import { randomUUID } from 'node:crypto'
import { DAY, HOUR, limits, type PaymentRequirements, SECOND } from '@guildhall/protocol'
import { describe, expect, test } from 'vitest'
import { newAgent, newWorker } from './support/cast.ts'
import { timesPaid, usdcOf } from './support/chain-calls.ts'
import { readHeader, signPayment } from './support/payments.ts'
import { inEscrow, newPerson, onAcceptance, type Person, payFor, postAs } from './support/people.ts'
import { outcomeOf, send, signed } from './support/raw.ts'
import { setStage } from './support/stage.ts'
import { aBounty, aDelivery, aTask, claimAndDeliver } from './support/tasks.ts'

const stage = setStage()
const at = (id: string, verb = '') => `/v1/owner/tasks/${id}${verb === '' ? '' : `/${verb}`}`
const seen = async (person: Person, id: string) => (await person.get(at(id))).body
const relsFor = async (person: Person, id: string) =>
  ((await seen(person, id)).next_actions as readonly { who: string; rel: string; href: string }[])
    .filter(({ who }) => who === 'poster')
    .map(({ rel, href }) => [rel, href])

describe('a free task of a person', () => {
  test('goes from the post to the acceptance, and everybody sees who posted it but not the address', async () => {
    const [person, worker] = [await newPerson(stage), await newWorker(stage)]
    const posted = await person.post('/v1/owner/tasks', { ...aTask, required_capabilities: ['anything'] })
    expect(posted.body).toMatchObject({ ok: true, status: 'open', payment_status: 'none', bounty: null, escrow: null })
    const id = String(posted.body.task_id)
    expect((await stage.client().tasks.get(id)).task).toMatchObject({
      creator_kind: 'owner',
      creator: { kind: 'owner', id: person.id, name: null, wallet: null },
      creator_agent_id: person.id,
      claimable: true,
      proposer_signature: null,
    })
    const available = await worker.client.events.list({ type: 'task.available' })
    expect(available.events).toMatchObject([{ ref_id: id, actor_id: person.id }])
    await claimAndDeliver(worker, id)
    const accepted = await person.post(at(id, 'accept'), { note: 'Thanks.', rating: 4, rating_comment: 'Quick.' })
    expect(accepted.body).toMatchObject({
      status: 'verified',
      accepted_by: 'creator',
      payment_status: 'none',
      rating: 4,
    })
    expect(accepted.body.chain_sequence).toEqual(expect.any(Number))
    expect((await stage.client().tasks.get(id)).task).toMatchObject({ rating: 4, rating_comment: 'Quick.' })
    const { events } = await worker.client.events.list({ type: 'task.verified' })
    expect(events).toMatchObject([{ ref_id: id, actor_id: person.id }])
  })

  test('is told to the person with the delivery, the receipts and what can be done next', async () => {
    const [person, worker] = [await newPerson(stage), await newWorker(stage)]
    const id = await postAs(stage, person)
    expect(await relsFor(person, id)).toEqual([['cancel', at(id, 'cancel')]])
    await claimAndDeliver(worker, id)
    expect(await seen(person, id)).toMatchObject({
      ok: true,
      task: { status: 'submitted', submission_public: false },
      submission: { summary: aDelivery.summary, content: aDelivery.submission_content },
      receipts: [{ task_id: id, payload: { summary: aDelivery.summary } }],
      payment: { status: 'none' },
    })
    expect(await relsFor(person, id)).toEqual(['accept', 'revision', 'dispute'].map((verb) => [verb, at(id, verb)]))
  })

  test('takes no payment, and only the house posts testing tasks', async () => {
    const person = await newPerson(stage)
    const header = { 'PAYMENT-SIGNATURE': 'e30=' }
    expect(outcomeOf(await person.post('/v1/owner/tasks', aTask, header))).toBe('400 payment_not_expected')
    expect(outcomeOf(await person.post('/v1/owner/tasks', { ...aTask, category: 'testing' }))).toBe('403 forbidden')
    expect(outcomeOf(await person.post('/v1/owner/tasks', { ...aTask, title: '' }))).toBe('400 bad_request')
    expect((await person.get('/v1/owner/tasks')).body.tasks).toEqual([])
  })
})

test('every answer to a person that posts tells how many unpaid tasks are left', async () => {
  const person = await newPerson(stage)
  const key = { 'Idempotency-Key': 'the-same-task-once' }
  const policy = '"unpaid-tasks";q=30;w=3600'
  const calls = [
    [aTask, key, '200', 29],
    [aTask, key, '200', 29],
    [aTask, {}, '200', 28],
    [{ ...aTask, title: '' }, {}, '400 bad_request', 28],
    [{ ...aTask, bounty: aBounty() }, {}, '402 payment_required', 28],
  ] as const
  for (const [body, headers, outcome, left] of calls) {
    const answer = await person.post('/v1/owner/tasks', body, headers)
    expect(outcomeOf(answer)).toBe(outcome)
    expect(answer.headers.get('ratelimit-policy')).toBe(policy)
    expect(answer.headers.get('ratelimit')).toMatch(new RegExp(`^"unpaid-tasks";r=${left};t=[0-9]+$`))
  }
})

test('a person posts thirty tasks an hour that are not paid for, then 429 with the time to wait', async () => {
  await stage.travel(HOUR)
  const person = await newPerson(stage)
  for (let count = 0; count < limits.owner.unpaidTasksPerHour; count++) await postAs(stage, person)
  const refused = await person.post('/v1/owner/tasks', aTask)
  expect(outcomeOf(refused)).toBe('429 rate_limited')
  expect(outcomeOf(await person.post('/v1/owner/tasks', { ...aTask, bounty: aBounty() }))).toBe('402 payment_required')
  await stage.travel(Number(refused.headers.get('retry-after')) * SECOND)
  await postAs(stage, person)
})

describe('a task of a person with its bounty in escrow', () => {
  test('asks for the price first and writes nothing; the same call with the payment posts and funds it', async () => {
    const person = await newPerson(stage)
    const body = { ...aTask, bounty: aBounty() }
    const asked = await person.post('/v1/owner/tasks', body)
    expect(outcomeOf(asked)).toBe('402 payment_required')
    expect(readHeader(asked, 'PAYMENT-REQUIRED').resource).toMatchObject({
      url: expect.stringMatching(/\/v1\/owner\/tasks$/),
    })
    expect((await person.get('/v1/owner/tasks')).body.tasks).toEqual([])
    const paid = await payFor(stage, person, '/v1/owner/tasks', body)
    expect(paid.body).toMatchObject({ status: 'open', claimable: true, escrow: { status: 'funded' } })
    expect(readHeader(paid, 'PAYMENT-RESPONSE')).toMatchObject({ success: true })
    expect(await usdcOf(stage.chain(), person.wallet.address)).toBe(95_000_000n)
  })

  test('is released to the deliverer when the person accepts', async () => {
    const [person, worker] = [await newPerson(stage), await newWorker(stage)]
    const id = await postAs(stage, person, inEscrow())
    await claimAndDeliver(worker, id)
    const header = { 'PAYMENT-SIGNATURE': 'e30=' }
    expect(outcomeOf(await person.post(at(id, 'accept'), {}, header))).toBe('400 payment_not_expected')
    expect((await person.post(at(id, 'accept'))).body).toMatchObject({ status: 'verified', payment_status: 'settled' })
    expect((await person.post(at(id, 'accept'))).body).toMatchObject({ status: 'verified', payment_status: 'settled' })
    expect(await usdcOf(stage.chain(), worker.wallet.address)).toBe(5_000_000n)
  })

  test('goes back to the wallet that paid when the person cancels', async () => {
    const person = await newPerson(stage)
    const id = await postAs(stage, person, inEscrow())
    const cancelled = await person.post(at(id, 'cancel'), { reason: 'No longer needed.' })
    expect(cancelled.body).toMatchObject({ status: 'cancelled', payment_status: 'refunded' })
    expect(await usdcOf(stage.chain(), person.wallet.address)).toBe(100_000_000n)
  })

  test('is funded again when its deposit can never arrive', async () => {
    const person = await newPerson(stage, '0')
    await stage.client().sandbox.setFaults({ facilitator: 'settle_reverts', times: 50 })
    await stage.chain().mint(person.wallet.address, 5_000_000n)
    const posted = await payFor(stage, person, '/v1/owner/tasks', { ...aTask, ...inEscrow() })
    const id = String(posted.body.task_id)
    expect(posted.body).toMatchObject({ escrow: { status: 'funding' }, claimable: false })
    expect(outcomeOf(await person.post(at(id, 'cancel')))).toBe('409 payment_in_flight')
    expect(outcomeOf(await person.post(at(id, 'fund')))).toBe('409 settlement_in_progress')
    await stage.travel(DAY / 12)
    expect(await seen(person, id)).toMatchObject({ task: { escrow: { status: 'unfunded' } } })
    expect(await relsFor(person, id)).toContainEqual(['fund', at(id, 'fund')])
    await stage.client().sandbox.setFaults({ facilitator: 'ok' })
    expect((await payFor(stage, person, at(id, 'fund'))).body).toMatchObject({ claimable: true })
    expect(await timesPaid(stage.chain(), person.wallet.address)).toBe(1)
  })
})

describe('a bounty that a person pays on acceptance', () => {
  test('goes from the person’s wallet to the deliverer’s, once', async () => {
    const [person, worker] = [await newPerson(stage), await newWorker(stage)]
    const id = await postAs(stage, person, onAcceptance())
    await claimAndDeliver(worker, id)
    const asked = await person.post(at(id, 'accept'))
    const [terms] = asked.body.accepts as PaymentRequirements[]
    expect([asked.status, terms?.payTo.toLowerCase()]).toEqual([402, worker.wallet.address.toLowerCase()])
    const accepted = await payFor(stage, person, at(id, 'accept'), { rating: 5 })
    expect(accepted.body).toMatchObject({ status: 'verified', payment_status: 'settled', rating: 5 })
    expect((await person.post(at(id, 'accept'))).body).toMatchObject({ payment_status: 'settled' })
    expect(await usdcOf(stage.chain(), worker.wallet.address)).toBe(5_000_000n)
    expect(await usdcOf(stage.chain(), person.wallet.address)).toBe(95_000_000n)
  })

  test('stays due when the timer accepted, and can still be paid', async () => {
    const [person, worker] = [await newPerson(stage), await newWorker(stage)]
    const id = await postAs(stage, person, onAcceptance())
    await claimAndDeliver(worker, id)
    await stage.travel(7 * DAY)
    expect(await seen(person, id)).toMatchObject({ task: { accepted_by: 'auto', payment_due: true } })
    expect(await relsFor(person, id)).toEqual([['pay', at(id, 'accept')]])
    expect((await payFor(stage, person, at(id, 'accept'))).body).toMatchObject({ payment_status: 'settled' })
  })
})

describe('a person reviews', () => {
  test('by asking for changes, three times at most', async () => {
    const [person, worker] = [await newPerson(stage), await newWorker(stage)]
    const id = await postAs(stage, person)
    await worker.client.tasks.claim(id)
    for (const round of [1, 2, 3]) {
      await worker.client.tasks.deliver(id, aDelivery)
      const asked = await person.post(at(id, 'revision'), { note: `Round ${round}.` })
      expect(asked.body).toMatchObject({ status: 'claimed', review_state: 'revision_requested', revision_count: round })
    }
    await worker.client.tasks.deliver(id, aDelivery)
    expect(outcomeOf(await person.post(at(id, 'revision'), { note: 'Again.' }))).toBe('409 max_revisions')
    expect((await seen(person, id)).receipts).toHaveLength(4)
  })

  test('by disputing, after which a delivered task can be cancelled and nothing is accepted by itself', async () => {
    const [person, worker] = [await newPerson(stage), await newWorker(stage)]
    const id = await postAs(stage, person, inEscrow())
    await claimAndDeliver(worker, id)
    expect(outcomeOf(await person.post(at(id, 'cancel')))).toBe('409 dispute_first')
    const disputed = await person.post(at(id, 'dispute'), { reason: 'There is no seven.', rating: 2 })
    expect(disputed.body).toMatchObject({ status: 'submitted', review_state: 'disputed', rating: 2 })
    expect(outcomeOf(await person.post(at(id, 'dispute'), { reason: 'Again.' }))).toBe('409 already_disputed')
    await stage.travel(8 * DAY)
    expect((await person.post(at(id, 'cancel'))).body).toMatchObject({
      status: 'cancelled',
      payment_status: 'refunded',
    })
    expect(await usdcOf(stage.chain(), person.wallet.address)).toBe(100_000_000n)
  })

  test('and publishes the delivery, or hides it again', async () => {
    const [person, worker] = [await newPerson(stage), await newWorker(stage)]
    const id = await postAs(stage, person)
    expect(outcomeOf(await person.post(at(id, 'submission/publish')))).toBe('404 not_found')
    await claimAndDeliver(worker, id)
    expect((await stage.client().tasks.get(id)).submission).toBeNull()
    expect((await person.post(at(id, 'submission/publish'))).body).toMatchObject({ submission_public: true })
    expect((await stage.client().tasks.get(id)).submission).toMatchObject({ summary: aDelivery.summary })
    expect((await person.post(at(id, 'submission/unpublish'))).body).toMatchObject({ published_at: null })
    expect((await stage.client().tasks.get(id)).submission).toBeNull()
  })
})

const REVIEWS = [
  ['accept', {}],
  ['revision', { note: 'No.' }],
  ['dispute', { reason: 'No.' }],
  ['cancel', {}],
  ['fund', undefined],
  ['submission/publish', undefined],
  ['submission/unpublish', undefined],
] as const

describe('nobody else decides on a person’s task', () => {
  test('no agent: 403; and no wallet: there is no hire', async () => {
    const [person, worker, other] = [await newPerson(stage), await newWorker(stage), await newAgent(stage)]
    const id = await postAs(stage, person)
    await claimAndDeliver(worker, id)
    for (const agent of [worker, other])
      for (const [verb, body] of REVIEWS)
        expect(
          `${verb} ${outcomeOf(await send(stage, signed(stage, agent, 'POST', `/v1/tasks/${id}/${verb}`, body)))}`,
        ).toBe(`${verb} 403 forbidden`)
    const manage = { Authorization: `Bearer gmt_${'A'.repeat(43)}`, 'Content-Type': 'application/json' }
    const hire = { method: 'POST', path: `/v1/x402/tasks/${id}/accept`, headers: manage, body: '{}' }
    expect(outcomeOf(await send(stage, hire))).toBe('404 not_found')
    expect(await seen(person, id)).toMatchObject({ task: { status: 'submitted', submission_public: false } })
  })

  test('no other person: for them the task is not there, nor is an agent’s', async () => {
    const [person, other, worker] = [await newPerson(stage), await newPerson(stage), await newWorker(stage)]
    const id = await postAs(stage, person)
    const ofAgent = (await worker.client.tasks.post(aTask)).task_id
    for (const taskId of [id, ofAgent, 'task_none']) {
      expect(outcomeOf(await other.get(at(taskId)))).toBe('404 not_found')
      for (const [verb, body] of REVIEWS)
        expect(`${verb} ${outcomeOf(await other.post(at(taskId, verb), body))}`).toBe(`${verb} 404 not_found`)
    }
    expect((await other.get('/v1/owner/tasks')).body.tasks).toEqual([])
    expect((await person.get('/v1/owner/tasks')).body.tasks).toMatchObject([{ task_id: id }])
  })

  test('nor another site: a change needs the session’s token', async () => {
    const person = await newPerson(stage)
    const id = await postAs(stage, person)
    expect(outcomeOf(await person.post(at(id, 'cancel'), {}, { 'X-CSRF-Token': 'x' }))).toBe('403 csrf_failed')
    const foreign = { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' }
    expect(outcomeOf(await person.post(at(id, 'cancel'), {}, foreign))).toBe('403 csrf_failed')
    const nobody = { method: 'GET', path: at(id), headers: {}, body: null }
    expect(outcomeOf(await send(stage, nobody))).toBe('401 auth_required')
    expect(await seen(person, id)).toMatchObject({ task: { status: 'open' } })
  })
})

describe('a person’s call that is sent again', () => {
  test('under the same Idempotency-Key gets the first answer, with a payment or without', async () => {
    const person = await newPerson(stage)
    const key = { 'Idempotency-Key': randomUUID() }
    const first = await person.post('/v1/owner/tasks', aTask, key)
    const again = await person.post('/v1/owner/tasks', aTask, key)
    expect(again.body).toEqual(first.body)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(outcomeOf(await person.post('/v1/owner/tasks', { ...aTask, title: 'Other' }, key))).toBe(
      '422 idempotency_key_reused',
    )
    const body = { ...aTask, ...inEscrow() }
    const [terms] = (await person.post('/v1/owner/tasks', body)).body.accepts as PaymentRequirements[]
    const { header } = await signPayment(stage, terms as PaymentRequirements, person.wallet)
    const paying = { 'PAYMENT-SIGNATURE': header, 'Idempotency-Key': randomUUID() }
    const paid = await person.post('/v1/owner/tasks', body, paying)
    expect((await person.post('/v1/owner/tasks', body, paying)).body).toEqual(paid.body)
    const bare = await person.post('/v1/owner/tasks', body, { 'PAYMENT-SIGNATURE': header })
    expect([outcomeOf(bare), bare.body.task_id]).toEqual(['409 authorization_reused', paid.body.task_id])
    expect((await person.get('/v1/owner/tasks')).body.tasks).toHaveLength(2)
    expect(await timesPaid(stage.chain(), person.wallet.address)).toBe(1)
  })

  test('ten times at once is carried out once', async () => {
    const [person, worker] = [await newPerson(stage), await newWorker(stage)]
    const id = await postAs(stage, person, inEscrow())
    await claimAndDeliver(worker, id)
    const answers = await Promise.all(Array.from({ length: 10 }, () => person.post(at(id, 'accept'))))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    await stage.runDue()
    expect(await usdcOf(stage.chain(), worker.wallet.address)).toBe(5_000_000n)
  })
})

test('a person’s tasks come page by page, newest first, in any state or in one', async () => {
  const person = await newPerson(stage)
  const ids = []
  for (let count = 0; count < 5; count++) ids.unshift(await postAs(stage, person, { title: `Task ${count}` }))
  await person.post(at(ids[2] ?? '', 'cancel'))
  const found: unknown[] = []
  let cursor = ''
  for (let page = 0; page < 3; page++) {
    const { body } = await person.get(`/v1/owner/tasks?limit=2${cursor}`)
    found.push(...(body.tasks as readonly { task_id: string }[]).map(({ task_id }) => task_id))
    cursor = `&cursor=${body.next_cursor}`
  }
  expect([found, cursor]).toEqual([ids, '&cursor=null'])
  expect((await person.get('/v1/owner/tasks?status=cancelled')).body.tasks).toMatchObject([{ task_id: ids[2] }])
  expect(outcomeOf(await person.get('/v1/owner/tasks?cursor=%27'))).toBe('400 invalid_cursor')
  expect(outcomeOf(await person.get('/v1/owner/tasks?limit=0'))).toBe('400 bad_request')
})

test('the mail address of a person is in no public answer', async () => {
  const [person, worker] = [await newPerson(stage), await newWorker(stage, { capabilities: ['counting'] })]
  const id = await postAs(stage, person, { ...inEscrow(), required_capabilities: ['counting'] })
  await claimAndDeliver(worker, id)
  await person.post(at(id, 'accept'), { rating: 5 })
  await stage.runDue()
  const paths = ['/v1/tasks?status=all', `/v1/tasks/${id}`, `/v1/tasks/${id}/payment`, `/v1/tasks/${id}/receipts`]
  const said = await Promise.all(
    [...paths, '/v1/tasks/settled', '/v1/chain?limit=1000', `/v1/tasks?creator=${person.id}&status=all`].map(
      async (path) => (await fetch(`${stage.node().url}${path}`)).text(),
    ),
  )
  const { events } = await worker.client.events.list({ limit: 100 })
  expect([...said, JSON.stringify(events)].join()).not.toContain(person.email.split('@')[0])
  expect(said[0]).toContain(person.id)
})
