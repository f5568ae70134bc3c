import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { DAY } from '@guildhall/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newWorker, type Player } from './support/cast.ts'
import { usdcOf } from './support/chain-calls.ts'
import { atDesk } from './support/desk.ts'
import { type NodeProcess, startNodeProcess } from './support/node-process.ts'
import { confirmLink, linkIn, mailTo, newEmail, type OwnerPlayer } from './support/owners.ts'
import { refusalOf } from './support/refusals.ts'
import { setStage } from './support/stage.ts'
import { anIntake, aResult } from './support/test-results.ts'
import { until } from './support/until.ts'

/** The node under watch does the work and says all that it has to say. */
const stage = setStage({ settings: { GUILDHALL_ROLE: 'api' } })
let node: NodeProcess
beforeAll(async () => {
  node = await startNodeProcess(stage, { GUILDHALL_LOG_LEVEL: 'debug' })
})
afterAll(() => node.stop())

const MAIN = fileURLToPath(new URL('../../cli/src/main.ts', import.meta.url))
async function guildhall(...words: readonly string[]): Promise<string> {
  const env = { ...process.env, DATABASE_URL: stage.databaseUrl }
  return (await promisify(execFile)(process.execPath, [MAIN, ...words], { env })).stdout
}

const at = (player: Player) => player.with({ baseUrl: node.url })
const task = async (id: string) => (await stage.client().tasks.get(id)).task

/** Sends an intake in without an account, and confirms it with the link from the mail. */
async function askForTest(): Promise<{ owner: OwnerPlayer; requestId: string }> {
  const email = newEmail()
  const body = JSON.stringify({ email, intake: anIntake })
  const headers = { 'Content-Type': 'application/json' }
  const answer = await fetch(`${node.url}/v1/testing/intake`, { method: 'POST', headers, body })
  expect(answer.status).toBe(202)
  const owner = await confirmLink(stage, email, linkIn(await mailTo(stage, email)))
  const { body: list } = await owner.call('GET', '/v1/owner/testing/requests')
  const [request] = list.requests as readonly { request_id: string; status: string }[]
  expect(request?.status).toBe('confirmed')
  return { owner, requestId: request?.request_id ?? '' }
}

async function postedTasks(requestId: string): Promise<readonly string[]> {
  expect(await guildhall('testing', 'approve', requestId)).toBe(`${requestId} is running: its tasks are posted.\n`)
  const runs = await stage.node().service.world.store.testingRuns(requestId)
  const ids = runs.map(({ taskId }) => taskId)
  for (const id of ids)
    await until(
      () => task(id),
      ({ claimable }) => claimable,
    )
  return ids
}

async function workOn(id: string, changes: Readonly<Record<string, unknown>>): Promise<Player> {
  const worker = await newWorker(stage, { capabilities: ['testing'] })
  await atDesk(stage, ({ testing }) => testing.allow(worker.id))
  await at(worker).tasks.claim(id)
  const { brief } = await at(worker).testing.brief(id)
  const result = aResult(brief, changes)
  const spoilt = { ...result, steps: [] }
  await refusalOf(at(worker).testing.deliver(id, { summary: 'Too early.', result: spoilt }), 'result_invalid')
  await at(worker).testing.deliver(id, { summary: 'Done.', result })
  return worker
}

test('a product is tested: intake, mail, approval, private briefs, three paid runs, one report, and nothing leaks', async () => {
  const { owner, requestId } = await askForTest()
  const ids = await postedTasks(requestId)
  expect(ids).toHaveLength(3)
  const workers = [
    await workOn(ids[0] ?? '', {}),
    await workOn(ids[1] ?? '', { outcome: 'product_failure' }),
    await workOn(ids[2] ?? '', {}),
  ]
  expect(await guildhall('testing', 'accept', ids[0] ?? '')).toBe('accept: done.\n')
  await atDesk(stage, ({ testing }) => testing.decide(ids[1] ?? '', 'accept', null))
  const half = await owner.call('GET', `/v1/owner/testing/requests/${requestId}`)
  expect(half.body).toMatchObject({ request: { status: 'running' }, report: null })
  // Nobody reviews the third: it is accepted by itself.
  await stage.travel(7 * DAY)
  const { body } = await until(
    () => owner.call('GET', `/v1/owner/testing/requests/${requestId}`),
    (seen) => seen.body.report !== null,
  )
  expect(body).toMatchObject({
    request: { status: 'reported' },
    runs: [{ status: 'accepted' }, { status: 'accepted' }, { status: 'accepted' }],
    report: {
      runs_planned: 3,
      runs_accepted: 3,
      outcome: 'product_success',
      agreement: { unanimous: false, share: 0.67 },
      findings: [{ severity: 'medium', title: 'First posting fails', runs: [1, 2, 3] }],
    },
  })
  expect(JSON.stringify(body)).not.toContain('ag_')
  for (const { wallet } of workers)
    await until(
      () => usdcOf(stage.chain(), wallet.address),
      (balance) => balance === 2_000_000n,
    )
  const mail = await mailTo(stage, owner.email, 2)
  expect(mail.subject).toBe('Your test report on Guildhall is ready')
  expect(mail.text).toContain(`/console/testing/${requestId}`)
  expect(mail.text).not.toMatch(/zanzibar/i)

  const seen = await publicTexts(ids, workers)
  expect(seen).toContain('Product test with a private brief')
  expect(seen).not.toMatch(/zanzibar/i)
  expect(node.said().length).toBeGreaterThan(1_000)
  expect(node.said()).not.toMatch(/zanzibar/i)

  const again = await owner.call('POST', `/v1/owner/testing/requests/${requestId}/retest`)
  expect(again.body).toMatchObject({ request: { status: 'confirmed', retest_of: requestId } })
})

/** Everything that strangers, and the parties’ inboxes, get to see of the tasks. */
async function publicTexts(ids: readonly string[], workers: readonly Player[]): Promise<string> {
  const paths = [
    '/v1/tasks?status=all&limit=100',
    '/v1/tasks?category=testing',
    '/v1/tasks/settled?limit=50',
    '/v1/chain?limit=1000',
    '/v1/status',
    '/v1/testing/catalog',
    '/',
    ...ids.flatMap((id) => ['', '/payment', '/receipt', '/receipts'].map((part) => `/v1/tasks/${id}${part}`)),
    ...ids.map((id) => `/v1/testing/assignments/${id}/brief`),
  ]
  const texts = await Promise.all(paths.map(async (path) => (await fetch(`${stage.node().url}${path}`)).text()))
  const inboxes = await Promise.all(workers.map(async ({ client }) => JSON.stringify(await client.events.list())))
  return [...texts, ...inboxes].join('\n')
}
