import { execFile } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { HOUR } from '@guildhall/protocol'
import { beforeEach, describe, expect, test } from 'vitest'
import { newAgent, type Player } from './support/cast.ts'
import { unsigned } from './support/hires.ts'
import { outcomeOf, type RawAnswer, send, signed } from './support/raw.ts'
import { setStage } from './support/stage.ts'

const stage = setStage({ nodes: 2 })
const PATH = '/v1/feedback'

const aReport = {
  scope: 'general',
  environment: 'Node 24 on Linux',
  expectedBehavior: 'A delivery is listed.',
  actualBehavior: 'It is not.',
  stepsToReproduce: 'Deliver, then list.',
  skillVersion: '0.7.0',
}
type Headers = Readonly<Record<string, string>>

const give = (body: unknown, headers: Headers = {}, node = 0) => send(stage, unsigned(PATH, body), { headers, node })
const giveAs = (player: Player, body: unknown, headers: Headers = {}, node = 0) =>
  send(stage, signed(stage, player, 'POST', PATH, body, { nonce: randomUUID() }), { headers, node })
const stored = () => stage.node().service.world.store.listFeedback({ status: null, before: null, limit: 100 })
const newest = async () => (await stored())[0]
const isReplay = (answer: RawAnswer) => answer.headers.get('idempotent-replayed') === 'true'

/** Every test has an hour of its own: all of them call from one network. */
beforeEach(() => stage.travel(HOUR))

describe('a report', () => {
  test('is taken without a signature, and its writer stays unknown', async () => {
    const answer = await give(aReport)
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({
      ok: true,
      feedback_id: expect.stringMatching(/^fb_[0-9A-Za-z]{20,32}$/),
      status: 'received',
      anonymous: true,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    })
    expect(await newest()).toMatchObject({ id: answer.body.feedback_id, agentId: null, taskId: null, errorCodes: [] })
  })

  test('is taken with a signature, with everything that it may hold', async () => {
    const agent = await newAgent(stage)
    const more = {
      scope: 'task',
      taskId: 'task_0123456789',
      errorCodes: ['conflict', 'not_found'],
      requestIds: ['req_0123456789abcdef01230000000a'],
      suggestedImprovement: 'List it.',
      cliVersion: '0.7.1',
    }
    const answer = await giveAs(agent, { ...aReport, ...more })
    expect(answer.body).toMatchObject({ anonymous: false, status: 'received' })
    const { scope, ...rest } = more
    expect(await newest()).toMatchObject({ ...aReport, scope, ...rest, agentId: agent.id })
  })

  test('names the client’s version in its body or in a header', async () => {
    await give(aReport, { 'X-Service-Cli-Version': '9.9.9', 'X-Service-Skill-Version': '0.7.0' })
    expect((await newest())?.cliVersion).toBe('9.9.9')
    await give({ ...aReport, cliVersion: '1.1.1' }, { 'X-Service-Cli-Version': '9.9.9' })
    expect((await newest())?.cliVersion).toBe('1.1.1')
  })

  test('with an Authorization that does not hold is 401, never taken as unsigned', async () => {
    const agent = await newAgent(stage)
    const before = await stored()
    const { headers } = signed(stage, agent, 'POST', PATH, { ...aReport, scope: 'task' })
    const stranger = signed(stage, { ...agent, key: randomBytes(32) }, 'POST', PATH, aReport)
    for (const authorization of ['', 'Bearer abc', 'AgentSig x:y', headers.Authorization ?? '']) {
      const answer = await give(aReport, { ...headers, Authorization: authorization })
      expect(outcomeOf(answer)).toBe('401 invalid_signature')
    }
    expect(outcomeOf(await send(stage, stranger))).toBe('401 unknown_agent')
    expect(await stored()).toEqual(before)
  })

  test('signed the same way twice counts once', async () => {
    const agent = await newAgent(stage)
    const request = signed(stage, agent, 'POST', PATH, aReport)
    expect((await send(stage, request)).status).toBe(201)
    expect(outcomeOf(await send(stage, request))).toBe('401 signature_replayed')
  })
})

describe('a report is 400', () => {
  const { scope: _, ...withoutScope } = aReport
  test.each<[string, unknown]>([
    ['with a field more', { ...aReport, severity: 'high' }],
    ['with a field in another spelling', { ...aReport, task_id: 'task_1' }],
    ['about a task that it does not name', { ...aReport, scope: 'task' }],
    ['about a task that it names null', { ...aReport, scope: 'task', taskId: null }],
    ['without a scope', withoutScope],
    ['with another scope', { ...aReport, scope: 'all' }],
    ['with a task id in another form', { ...aReport, scope: 'task', taskId: 'task/1' }],
    ['with a task id that is too long', { ...aReport, scope: 'task', taskId: 'x'.repeat(65) }],
    ['with too long an environment', { ...aReport, environment: 'x'.repeat(1_001) }],
    ['with an empty environment', { ...aReport, environment: '' }],
    ['with too long a text', { ...aReport, expectedBehavior: 'x'.repeat(4_001) }],
    ['with too long a suggestion', { ...aReport, suggestedImprovement: 'x'.repeat(4_001) }],
    ['with too many error codes', { ...aReport, errorCodes: Array.from({ length: 21 }, () => 'conflict') }],
    ['with too many request ids', { ...aReport, requestIds: Array.from({ length: 21 }, () => 'req_1') }],
    ['with an error code that is none', { ...aReport, errorCodes: [409] }],
    ['without a skill version', { ...aReport, skillVersion: undefined }],
    ['that is a list', [aReport]],
  ])('%s', async (_name, body) => {
    const before = await stored()
    expect(outcomeOf(await give(body))).toBe('400 bad_request')
    expect(await stored()).toEqual(before)
  })

  test('not at the very limits, counted in characters as people see them', async () => {
    const agent = await newAgent(stage)
    const long = { environment: '\u{1F600}'.repeat(1_000), actualBehavior: 'ü'.repeat(4_000) }
    const lists = { errorCodes: Array.from({ length: 20 }, () => 'conflict'), requestIds: [] }
    const answer = await giveAs(agent, { ...aReport, ...long, ...lists, scope: 'task', taskId: 'x'.repeat(64) })
    expect(answer.status).toBe(201)
    expect(await newest()).toMatchObject(long)
  })
})

describe('secrets in a report', () => {
  const hex = randomBytes(32).toString('hex')
  const token = `gmt_${randomBytes(32).toString('base64url')}`
  const phrase = 'legal winner thank year wave sausage worth useful legal winner thank yellow'
  const secrets = [hex, token, phrase, token.slice(4, 30)]

  test('reach neither the database nor an answer', async () => {
    const agent = await newAgent(stage)
    const key = { 'Idempotency-Key': randomUUID() }
    const report = {
      ...aReport,
      environment: `KEY=0x${hex}`,
      expectedBehavior: `curl -H 'Authorization: Bearer ${token}'`,
      actualBehavior: `my wallet: ${phrase}!`,
      stepsToReproduce: `${token.slice(0, 30)}\n  ${token.slice(30)}`,
      suggestedImprovement: Buffer.from(`token ${token}`).toString('base64'),
      errorCodes: [token],
      requestIds: [hex],
      skillVersion: hex,
      cliVersion: token,
    }
    const first = await giveAs(agent, report, key)
    const again = await giveAs(agent, report, key)
    expect([first.status, isReplay(again)]).toEqual([201, true])
    const kept = JSON.stringify(await newest())
    for (const secret of secrets) {
      expect(kept).not.toContain(secret)
      expect(JSON.stringify([first.body, again.body])).not.toContain(secret)
    }
    expect(kept).not.toContain(Buffer.from(`token ${token}`).toString('base64').slice(0, 40))
    expect(await newest()).toMatchObject({
      environment: 'KEY=[redacted key]',
      actualBehavior: 'my wallet: [redacted seed phrase]!',
      skillVersion: '[redacted key]',
    })
  })
})

describe('limits', () => {
  const rate = ({ headers }: RawAnswer) => [headers.get('ratelimit-policy'), headers.get('ratelimit')?.split(';t=')[0]]

  test('let a network report five times an hour without a signature, at whichever node', async () => {
    for (let count = 1; count <= 5; count++) {
      const answer = await give(aReport, {}, count % 2)
      expect(answer.status).toBe(201)
      expect(rate(answer)).toEqual(['"feedback-unsigned";q=5;w=3600', `"feedback-unsigned";r=${5 - count}`])
    }
    const sixth = await give(aReport, {}, 1)
    expect(outcomeOf(sixth)).toBe('429 rate_limited')
    expect(rate(sixth)).toEqual(['"feedback-unsigned";q=5;w=3600', '"feedback-unsigned";r=0'])
    const seconds = Number(sixth.headers.get('retry-after'))
    expect(seconds).toBeGreaterThan(0)
    expect(seconds).toBeLessThanOrEqual(3_600)
    await stage.travel(seconds * 1_000)
    expect((await give(aReport)).status).toBe(201)
  })

  test('let an agent report thirty times an hour, from wherever', async () => {
    const agent = await newAgent(stage)
    for (let count = 1; count <= 30; count++) expect((await giveAs(agent, aReport, {}, count % 2)).status).toBe(201)
    const next = await giveAs(agent, aReport)
    expect(outcomeOf(next)).toBe('429 rate_limited')
    expect(rate(next)).toEqual(['"feedback";q=30;w=3600', '"feedback";r=0'])
    expect((await giveAs(await newAgent(stage), aReport)).status).toBe(201)
    expect((await give(aReport)).status).toBe(201)
  })

  test('count neither repeats nor what was refused', async () => {
    const key = { 'Idempotency-Key': randomUUID() }
    const first = await give(aReport, key)
    for (let count = 0; count < 10; count++) {
      const again = await give(aReport, key, count % 2)
      expect([again.status, isReplay(again)]).toEqual([201, true])
      expect(again.body).toEqual(first.body)
      expect(rate(again)).toEqual(rate(first))
      expect(outcomeOf(await give({ ...aReport, scope: 'all' }))).toBe('400 bad_request')
      expect(outcomeOf(await give({ ...aReport, environment: 'Other' }, key))).toBe('422 idempotency_key_reused')
    }
    const last = await give(aReport)
    expect(rate(last)).toEqual(['"feedback-unsigned";q=5;w=3600', '"feedback-unsigned";r=3'])
  })

  test('are told with every answer: what is refused, too, says how far the caller has got', async () => {
    const agent = await newAgent(stage)
    expect((await giveAs(agent, aReport)).status).toBe(201)
    const signed = ['"feedback";q=30;w=3600', '"feedback";r=29']
    expect(rate(await giveAs(agent, {}))).toEqual(signed)
    const unsigned = ['"feedback-unsigned";q=5;w=3600', '"feedback-unsigned";r=5']
    expect(rate(await give({}))).toEqual(unsigned)
    const unknown = [signed[0], undefined]
    expect(rate(await give(aReport, { Authorization: 'AgentSig x:y' }))).toEqual(unknown)
    expect(rate(await give(aReport, { Authorization: 'AgentSig x:y', 'Content-Type': 'text/plain' }))).toEqual(unknown)
  })

  test('do not use up the key of a report that comes too early', async () => {
    for (let count = 0; count < 5; count++) await give(aReport)
    const key = { 'Idempotency-Key': randomUUID() }
    expect(outcomeOf(await give(aReport, key))).toBe('429 rate_limited')
    await stage.travel(HOUR)
    const later = await give(aReport, key)
    expect([later.status, isReplay(later)]).toEqual([201, false])
  })
})

describe('an operator', () => {
  const MAIN = fileURLToPath(new URL('../../cli/src/main.ts', import.meta.url))
  const guildhall = async (...words: readonly string[]) => {
    const env = { ...process.env, DATABASE_URL: stage.databaseUrl }
    const { stdout } = await promisify(execFile)(process.execPath, [MAIN, 'feedback', ...words], { env })
    return stdout
  }

  test('lists reports and says what became of them', async () => {
    const { body } = await give({ ...aReport, actualBehavior: 'one\ntwo \u001B[31mred\u001B[0m \u202Eback' })
    const id = String(body.feedback_id)
    const listed = await guildhall('list', '--status', 'received', '--limit', '1')
    expect(listed).toContain(`${id}  `)
    expect(listed).toContain('actual      one\n              two \uFFFD[31mred')
    for (const steering of ['\u001B', '\u202E']) expect(listed).not.toContain(steering)

    expect(await guildhall('mark', id, 'resolved', '--note', 'mended')).toBe(`${id} is resolved.\n`)
    const [resolved] = await Promise.all([
      guildhall('list', '--status', 'resolved', '--json'),
      expect(guildhall('mark', 'fb_unknown', 'resolved')).rejects.toThrow('There is no report fb_unknown.'),
      expect(guildhall('mark', id, 'lost')).rejects.toThrow('lost is not one of received'),
    ])
    expect(JSON.parse(resolved)).toMatchObject({ id, status: 'resolved', note: 'mended' })
  })
})
