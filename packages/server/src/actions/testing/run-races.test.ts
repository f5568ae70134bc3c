import { Client } from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { NOW, sampleTask, sampleTestingRequest } from '../../../tests/support/samples.ts'
import { addAgent, silentLog, storeBench } from '../../../tests/support/store.ts'
import { until } from '../../../tests/support/until.ts'
import type { OwnerCaller } from '../../domain/owner/owner.ts'
import type { Task } from '../../domain/task/task.ts'
import { renewed } from '../../domain/testing/eligibility.ts'
import type { TestingRun } from '../../domain/testing/request.ts'
import type { World } from '../../ports/world.ts'
import { concludeTestRuns } from './conclude-test-runs.ts'
import { confirmRequest } from './confirm-request.ts'
import { decideOnRun } from './decide-on-run.ts'
import { fundTestRun } from './fund-test-run.ts'
import { leaveDecision } from './judge-request.ts'

const bench = storeBench()
let rival: Client
beforeEach(async () => {
  rival = new Client({ connectionString: bench.url })
  await rival.connect()
})
afterEach(() => rival.end())

const world = () =>
  ({
    clock: { now: () => NOW },
    random: {
      bytes: (count: number) => crypto.getRandomValues(new Uint8Array(count)),
      uuid: () => crypto.randomUUID(),
    },
    log: silentLog,
    ledger: { isTrusted: () => true },
    store: bench.store,
    rules: { networks: [], testing: { network: 'eip155:8453' }, baseUrl: 'https://hall.example', serviceName: 'Hall' },
    houseWallet: null,
    escrow: null,
    nudge() {},
  }) as unknown as World

/** A run of a request under way, on a task as it is said. */
async function newRun(task: Partial<Task>, changes: Partial<TestingRun> = {}) {
  const request = sampleTestingRequest({ status: 'running', decidedAt: NOW })
  const posted = sampleTask(task)
  const run: TestingRun = {
    assignmentId: crypto.randomUUID(),
    requestId: request.id,
    run: 1,
    attempt: 1,
    taskId: posted.id,
    outcome: null,
    reviewNote: null,
    decision: null,
    decisionNote: null,
    trouble: null,
    retryAt: null,
    createdAt: NOW,
    endedAt: null,
    ...changes,
  }
  await bench.store.transaction(async (tx) => {
    await tx.insertTestingRequest(request)
    await tx.insertTask(posted)
    await tx.insertTestingRun(run)
  })
  return { task: posted, run }
}

/** Starts the work while somebody else has changed the run, who commits once the work waits for it. */
const against = <T>({ taskId }: TestingRun, change: string, work: () => Promise<T>): Promise<unknown> =>
  againstAll([`update testing_runs set ${change} where task_id = $1`], taskId, work)

async function againstAll<T>(changes: readonly string[], id: string, work: () => Promise<T>): Promise<unknown> {
  await rival.query('begin')
  for (const change of changes) await rival.query(change, [id])
  const outcome = work().catch((error: unknown) => error)
  const waitingHere = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  const waiting = () => bench.sql.query(waitingHere)
  await until(waiting, ({ rowCount }) => rowCount === 1)
  await rival.query('commit')
  return outcome
}

const stored = ({ taskId }: TestingRun) => bench.store.testingRunOf(taskId)

test('a decision on a run that ends at this moment is refused, and the outcome stays', async () => {
  const { run } = await newRun({})
  const late = await against(run, `outcome = 'lost'`, () => leaveDecision(world(), run.taskId, 'accept', null))
  expect(late).toMatchObject({ code: 'invalid_state' })
  expect(await stored(run)).toMatchObject({ outcome: 'lost', decision: null })
})

test('a decision made while a deposit fails is kept, and so is the reason of the failure', async () => {
  const bounty = { amount: 2_000_000n, network: 'eip155:8453' }
  const { task, run } = await newRun({ bounty })
  await against(run, `decision = 'cancel'`, () => fundTestRun(world(), task, run))
  expect(await stored(run)).toMatchObject({ decision: 'cancel', trouble: expect.any(String) })
})

test('a decision made while the one before it fails is kept', async () => {
  await bench.store.transaction((tx) => addAgent(tx, { house: true }))
  const { run } = await newRun({}, { decision: 'accept' })
  await against(run, `decision = 'cancel', decision_note = 'No.'`, () => decideOnRun(world(), run))
  expect(await stored(run)).toMatchObject({ decision: 'cancel', decisionNote: 'No.', trouble: null })
})

test('a note written on a run while it ends is kept', async () => {
  const { run } = await newRun({ status: 'cancelled' })
  await against(run, `review_note = 'Say more.'`, () => concludeTestRuns(world(), run.requestId))
  expect(await stored(run)).toMatchObject({ outcome: 'lost', reviewNote: 'Say more.' })
})

test('a worker who is suspended while a result is accepted stays suspended', async () => {
  const worker = await bench.store.transaction(async (tx) => {
    const agent = await addAgent(tx)
    await tx.saveTestingWorker(renewed(null, agent.id, NOW))
    return agent
  })
  const accepted = { claimedAt: NOW, submittedAt: NOW, verifiedAt: NOW, acceptedBy: 'creator' } as const
  const { run } = await newRun({ status: 'verified', claimedBy: worker.id, ...accepted })
  const suspension = [
    'select from agents where id = $1 for no key update',
    `update testing_workers set suspended_for = 'Made things up.' where agent_id = $1`,
  ]
  await againstAll(suspension, worker.id, () => concludeTestRuns(world(), run.requestId))
  expect(await stored(run)).toMatchObject({ outcome: 'accepted' })
  expect(await bench.store.testingWorker(worker.id)).toMatchObject({ suspendedFor: 'Made things up.' })
})

test('a request is not confirmed while another of its owner takes the tenth place', async () => {
  const owner = { id: 'own_ten', email: 'ten@example.org', createdAt: NOW }
  const pending = { status: 'unconfirmed', email: owner.email, ownerId: null, confirmBy: NOW + 1 } as const
  const [tenth, eleventh] = [sampleTestingRequest(pending), sampleTestingRequest(pending)]
  await bench.store.transaction(async (tx) => {
    await tx.ensureOwner(owner)
    for (let place = 1; place < 10; place++) await tx.insertTestingRequest(sampleTestingRequest({ ownerId: owner.id }))
    for (const request of [tenth, eleventh]) await tx.insertTestingRequest(request)
  })
  const confirmation = [
    'select from owners where id = $1 for no key update',
    `update testing_requests set status = 'confirmed', owner_id = $1 where id = '${tenth.id}'`,
  ]
  const caller = { owner } as OwnerCaller
  const late = await againstAll(confirmation, owner.id, () => confirmRequest(world(), caller, eleventh.id))
  expect(late).toMatchObject({ code: 'rate_limited' })
  expect(await bench.store.testingRequest(eleventh.id)).toMatchObject({ status: 'unconfirmed' })
})
