import { DAY, hashDocument, workerResultSchema } from '@guildhall/protocol'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { newWorker, type Player } from './support/cast.ts'
import { usdcOf } from './support/chain-calls.ts'
import { atDesk } from './support/desk.ts'
import { outcomeOf, send, signed } from './support/raw.ts'
import { refusalOf } from './support/refusals.ts'
import { setStage } from './support/stage.ts'
import { aResult } from './support/test-results.ts'
import { approvedTasks, briefOf, confirmedRequest, deliverResult } from './support/testing-requests.ts'
import { until } from './support/until.ts'

const stage = setStage()
const task = async (id: string) => (await stage.client().tasks.get(id)).task
const store = () => stage.node().service.world.store
const desk = <T>(work: Parameters<typeof atDesk<T>>[1]) => atDesk(stage, work)

/** An agent with a wallet that an operator has let in. */
async function newTester(): Promise<Player> {
  const worker = await newWorker(stage, { capabilities: ['testing'] })
  await desk(({ testing }) => testing.allow(worker.id))
  return worker
}

async function oneTask(): Promise<string> {
  const [first] = await approvedTasks(stage, await confirmedRequest(stage))
  if (!first) throw new Error('nothing was posted')
  return first
}

const delivery = (content: unknown, more: object = {}) => ({
  summary: 'Tried it.',
  submission_type: 'json' as const,
  submission_content: JSON.stringify(content),
  ...more,
})

describe('the catalogue', () => {
  test('offers the audit with what it covers, what it costs and what it discloses', async () => {
    const { available, packages } = await stage.client().call('testingCatalog')
    expect(available).toBe(true)
    expect(packages).toMatchObject([{ package_id: 'agent-audit', version: '1.0', price_usdc: '0.00', runs: 3 }])
    expect(packages[0]?.coverage.length).toBeGreaterThan(0)
    expect(packages[0]?.disclosures.length).toBeGreaterThan(0)
  })

  test('publishes the very schema that deliveries are held against', async () => {
    const answer = await fetch(`${stage.node().url}/v1/testing/schemas/worker-result-1.0.json`)
    expect(await answer.json()).toEqual(JSON.parse(JSON.stringify(workerResultSchema)))
  })
})

describe('an approved request', () => {
  test('is posted by the house as one paid, sponsored testing task for each run, and says nothing of the product', async () => {
    const requestId = await confirmedRequest(stage)
    const ids = await approvedTasks(stage, requestId)
    expect(ids).toHaveLength(3)
    const house = await stage.client().agents.get('Guildhall House')
    for (const id of ids) {
      const shown = await task(id)
      expect(shown).toMatchObject({ category: 'testing', creator_agent_id: house.agent_id, claimable: true })
      expect(shown.escrow).toMatchObject({
        status: 'funded',
        payer: privateKeyToAccount(stage.parts.keys.house).address.toLowerCase(),
      })
      expect(JSON.stringify(shown)).not.toMatch(/zanzibar/i)
    }
    expect(await store().testingRequest(requestId)).toMatchObject({ status: 'running', postAt: null, trouble: null })
  })

  test('is posted once, however many nodes look at it', async () => {
    const requestId = await confirmedRequest(stage)
    await desk(({ testing }) => testing.approve(requestId))
    const other = await stage.startNode()
    await Promise.all([stage.runDue(0), stage.runDue(1), stage.runDue(0), stage.runDue(1)])
    await stage.stopNode(other)
    await expect.poll(() => store().testingRuns(requestId)).toHaveLength(3)
    await expect(desk(({ testing }) => testing.approve(requestId))).rejects.toThrow('The request is running')
  })

  test('a rejected one is never posted', async () => {
    const requestId = await confirmedRequest(stage)
    await desk(({ testing }) => testing.reject(requestId, 'Not yours.'))
    await stage.runDue()
    expect(await store().testingRequest(requestId)).toMatchObject({ status: 'rejected', note: 'Not yours.' })
    expect(await store().testingRuns(requestId)).toEqual([])
  })
})

describe('a testing task is claimed', () => {
  test('by agents with the score or with an operator’s permission', async () => {
    const id = await oneTask()
    const [stranger, tester] = [await newWorker(stage), await newTester()]
    const refused = await refusalOf(stranger.client.tasks.claim(id), 'worker_ineligible')
    expect(refused).toMatchObject({ status: 403, fields: { reason: 'score_too_low' } })
    await tester.client.tasks.claim(id)
    expect((await task(id)).claimed_by_agent_id).toBe(tester.id)
  })

  test('not by an agent that an operator has suspended, nor after its ninety days', async () => {
    const id = await oneTask()
    const [suspended, late] = [await newTester(), await newTester()]
    await desk(({ testing }) => testing.suspend(suspended.id, 'Copied.'))
    expect(await refusalOf(suspended.client.tasks.claim(id), 'worker_ineligible')).toMatchObject({
      fields: { reason: 'suspended' },
    })
    await store().transaction(async (tx) => {
      const worker = await tx.testingWorker(late.id)
      if (worker) await tx.saveTestingWorker({ ...worker, expiresAt: stage.now() })
    })
    expect(await refusalOf(late.client.tasks.claim(id), 'worker_ineligible')).toMatchObject({
      fields: { reason: 'expired' },
    })
    await desk(({ testing }) => testing.renew(late.id))
    await late.client.tasks.claim(id)
  })

  test('not by an agent of the product’s own owner', async () => {
    const requestId = await confirmedRequest(stage)
    const [id = ''] = await approvedTasks(stage, requestId)
    const tester = await newTester()
    await store().transaction(async (tx) => {
      const owner = await tx.ensureOwner({ id: 'own_1', email: 'owner@example.org', createdAt: stage.now() })
      await tx.linkAgent(tester.id, owner.id, stage.now())
    })
    await refusalOf(tester.client.tasks.claim(id), 'own_task')
  })

  test('once by the same agent in one test', async () => {
    const [first = '', second = ''] = await approvedTasks(stage, await confirmedRequest(stage))
    const tester = await newTester()
    await tester.client.tasks.claim(first)
    await refusalOf(tester.client.tasks.claim(second), 'conflict')
  })
})

describe('the brief', () => {
  test('is for the current claimant, never stored, and commits to its scope', async () => {
    const id = await oneTask()
    const tester = await newTester()
    await tester.client.tasks.claim(id)
    const path = `/v1/testing/assignments/${id}/brief`
    const answer = await send(stage, signed(stage, tester, 'GET', path))
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('private, no-store')
    const { brief, result_contract, submit } = await tester.client.call('getTestingBrief', { params: { taskId: id } })
    expect(brief.scope.product_name).toBe('Zanzibar Ledger API')
    expect(brief.scope_hash).toBe(hashDocument(brief.scope))
    expect(result_contract).toMatchObject({ schema_version: '1.0', max_bytes: 65_536 })
    expect(submit).toMatchObject({ method: 'POST', href: `/v1/tasks/${id}/deliver`, submission_type: 'json' })
  })

  test('tells how long a result may be: one of as many characters is taken, and none of more', async () => {
    const id = await oneTask()
    const tester = await newTester()
    await tester.client.tasks.claim(id)
    const { brief, result_contract } = await tester.client.call('getTestingBrief', { params: { taskId: id } })
    const padded = (characters: number) => ({
      ...delivery(null),
      submission_content: JSON.stringify(aResult(brief)).padEnd(characters),
    })
    await refusalOf(tester.client.tasks.deliver(id, padded(result_contract.max_characters + 1)), 'bad_request')
    await tester.client.tasks.deliver(id, padded(result_contract.max_characters))
  })

  test('does not exist for anybody else, nor for a claim that has lapsed', async () => {
    const id = await oneTask()
    const [tester, other] = [await newTester(), await newTester()]
    const path = `/v1/testing/assignments/${id}/brief`
    const asks = async (player: Player, target = path) =>
      outcomeOf(await send(stage, signed(stage, player, 'GET', target)))
    expect(await asks(tester)).toBe('404 not_found')
    const { message } = await refusalOf(tester.client.call('getTestingBrief', { params: { taskId: id } }), 'not_found')
    expect(message).toContain('You hold no claim on a testing task with this id.')
    await tester.client.tasks.claim(id)
    expect(await asks(other)).toBe('404 not_found')
    expect(await asks(tester, '/v1/testing/assignments/task_000000000000000000000000000000/brief')).toBe(
      '404 not_found',
    )
    expect(outcomeOf(await send(stage, { method: 'GET', path, headers: {}, body: null }))).toBe('401 auth_required')
    await stage.travel(7 * DAY)
    expect(await asks(tester)).toBe('404 not_found')
  })

  test('is closed to a claimant whose eligibility was suspended or ran out', async () => {
    const id = await oneTask()
    const tester = await newTester()
    await tester.client.tasks.claim(id)
    await desk(({ testing }) => testing.suspend(tester.id, 'Copied.'))
    expect(await refusalOf(briefOf(tester, id), 'worker_ineligible')).toMatchObject({ fields: { reason: 'suspended' } })
    await desk(({ testing }) => testing.renew(tester.id))
    expect(await briefOf(tester, id)).toMatchObject({ task_id: id })
  })
})

describe('a delivery on a testing task', () => {
  test('satisfies the contract or is refused with its errors, and changes nothing then', async () => {
    const id = await oneTask()
    const tester = await newTester()
    await tester.client.tasks.claim(id)
    const brief = await briefOf(tester, id)
    const bad = aResult(brief, { outcome: 'splendid', steps: [] })
    const refused = await refusalOf(tester.client.tasks.deliver(id, delivery(bad)), 'result_invalid')
    expect(refused.status).toBe(400)
    expect(refused.fields.issues?.map(({ path }) => path).sort()).toEqual(['outcome', 'steps'])
    const good = aResult(brief)
    for (const spoilt of [
      delivery(good, { submission_type: 'link' }),
      delivery(good, { submission_content: null }),
      delivery(good, { submission_content: 'not json' }),
      delivery(aResult({ ...brief, scope_hash: 'ab'.repeat(32) })),
      delivery(good, { summary: `ghp_${'a1B2c3D4e5'.repeat(4)}` }),
    ])
      await refusalOf(tester.client.tasks.deliver(id, spoilt), 'result_invalid')
    const legacy = { submission_type: 'json', content: '{}', summary: 'x' } as const
    await refusalOf(tester.client.call('submitTask', { params: { id }, body: legacy }), 'result_invalid')
    expect(await task(id)).toMatchObject({ status: 'claimed' })
    await tester.client.tasks.deliver(id, delivery(good))
    expect(await task(id)).toMatchObject({ status: 'submitted', submission_public: false })
  })

  test('is never published', async () => {
    const id = await oneTask()
    const tester = await newTester()
    await tester.client.tasks.claim(id)
    await deliverResult(tester, id)
    const { task: shown, submission, delivery_receipt } = await stage.client().tasks.get(id)
    expect(shown.submission_public).toBe(false)
    expect(submission).toBeNull()
    expect(delivery_receipt?.payload).toBeNull()
    await refusalOf(tester.client.tasks.publish(id), 'forbidden')
  })
})

describe('a review', () => {
  test('that accepts pays the worker on the chain out of the house’s deposit, and renews the worker', async () => {
    const id = await oneTask()
    const tester = await newTester()
    await tester.client.tasks.claim(id)
    await deliverResult(tester, id)
    await desk(({ testing }) => testing.decide(id, 'accept', null))
    await until(
      () => task(id),
      ({ payment_status }) => payment_status === 'settled',
    )
    expect(await usdcOf(stage.chain(), tester.wallet.address)).toBe(2_000_000n)
    expect(await task(id)).toMatchObject({ accepted_by: 'creator', escrow: { status: 'released' } })
  })

  test('that asks for changes tells the worker alone why', async () => {
    const id = await oneTask()
    const tester = await newTester()
    await tester.client.tasks.claim(id)
    await deliverResult(tester, id)
    await desk(({ testing }) => testing.decide(id, 'revise', 'Say more about zanzibar.'))
    await until(
      () => task(id),
      ({ review_state }) => review_state === 'revision_requested',
    )
    expect((await briefOf(tester, id)).review_note).toBe('Say more about zanzibar.')
    expect(JSON.stringify(await task(id))).not.toMatch(/zanzibar/i)
    expect(JSON.stringify(await tester.client.events.list())).not.toMatch(/zanzibar/i)
    await deliverResult(tester, id)
  })

  test('that cannot be carried out says why', async () => {
    const id = await oneTask()
    await desk(({ testing }) => testing.decide(id, 'accept', null))
    const run = await until(
      () => store().testingRunOf(id),
      (now) => now?.decision === null,
    )
    expect(run?.trouble).toBe('The task is open: this cannot be done now.')
  })

  test('that throws a delivery out refunds the house and posts the run anew', async () => {
    const requestId = await confirmedRequest(stage)
    const [id = ''] = await approvedTasks(stage, requestId)
    const tester = await newTester()
    await tester.client.tasks.claim(id)
    await deliverResult(tester, id)
    await desk(({ testing }) => testing.decide(id, 'dispute', 'Made up.'))
    await until(
      () => task(id),
      ({ review_state }) => review_state === 'disputed',
    )
    await desk(({ testing }) => testing.decide(id, 'cancel', null))
    const runs = await until(
      () => store().testingRuns(requestId),
      (all) => all.length === 4,
    )
    expect(runs.map(({ run, attempt, outcome }) => [run, attempt, outcome])).toEqual([
      [1, 1, 'lost'],
      [1, 2, null],
      [2, 1, null],
      [3, 1, null],
    ])
    await until(
      () => task(id),
      ({ payment_status }) => payment_status === 'refunded',
    )
  })
})
