import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { formOf, openJar } from '../support/browser-jar.ts'
import { newAgent, newBuyer, newWorker, type Player } from '../support/cast.ts'
import { hirePrice, newHirer, unsigned } from '../support/hires.ts'
import { type NodeProcess, startNodeProcess } from '../support/node-process.ts'
import { cookieIn, linkIn, mailTo, newEmail, ownerWith } from '../support/owners.ts'
import { signPayment } from '../support/payments.ts'
import { signIn } from '../support/sign-in.ts'
import { setStage } from '../support/stage.ts'
import { aBounty, aTask } from '../support/tasks.ts'
import { until } from '../support/until.ts'
import { CLOSED_DOORS, declared, pathOf, type Targets } from './sample-calls.ts'

/** The node under watch does all the work and says all that it has to say. */
const stage = setStage({ settings: { ...CLOSED_DOORS, GUILDHALL_ROLE: 'api' } })
let node: NodeProcess
beforeAll(async () => {
  node = await startNodeProcess(stage, { ...CLOSED_DOORS, GUILDHALL_LOG_LEVEL: 'debug', GUILDHALL_CHECK_ANSWERS: '' })
})
afterAll(() => node.stop())

/** What must stay where it was put, by what it is. */
const secrets = new Map<string, string>()
const plant = (what: string): string => {
  const text = `canary-${randomBytes(12).toString('hex')}`
  secrets.set(text, what)
  return text
}

/** These signatures are published: poster's, acceptor's and deliverer's stand in the task and in its receipts. */
const PUBLISHED = /^\/v1\/tasks(\/[^/]+\/(deliver|accept))?$/

/** Sends, and remembers what the request was signed and paid with. */
const watchedFetch: typeof fetch = (input, init) => {
  const headers = new Headers(init?.headers)
  const authorization = headers.get('authorization')
  const { pathname } = new URL(String(input))
  if (authorization !== null) {
    secrets.set(authorization, `Authorization of ${pathname}`)
    const signature = authorization.split(':')[1] ?? ''
    if (signature !== '' && !PUBLISHED.test(pathname)) secrets.set(signature, `signature of ${pathname}`)
  }
  const payment = headers.get('payment-signature')
  if (payment !== null) {
    secrets.set(payment, `PAYMENT-SIGNATURE of ${pathname}`)
    const signed = /"signature":"0x([0-9a-f]+)"/.exec(Buffer.from(payment, 'base64').toString('utf8'))
    if (signed?.[1] !== undefined) secrets.set(signed[1], `signed payment of ${pathname}`)
  }
  return fetch(input, init)
}

const at = (player: Player) => player.with({ baseUrl: node.url, fetch: watchedFetch })

const post = (path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  watchedFetch(`${node.url}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

/** Everything that goes by while two tasks are posted, delivered and accepted, with all kinds of trouble. */
async function aBusyDay(): Promise<Targets> {
  const [buyer, worker] = [await newBuyer(stage), await newWorker(stage)]
  const task = (await at(buyer).tasks.post({ ...aTask, bounty: aBounty() })).task_id
  const { hire, token } = await aHire()
  for (const id of [task, hire]) {
    await at(worker).tasks.claim(id)
    await at(worker).tasks.deliver(id, {
      summary: plant('summary'),
      submission_type: 'json',
      submission_content: plant('content'),
      artifact_urls: [`https://example.org/${plant('artifact')}`],
      pr_url: `https://example.org/${plant('pull request')}`,
    })
  }
  await at(buyer)
    .tasks.revision(task, { note: 'Once more, please.' })
    .catch(() => null)
  const bearer = { Authorization: `Bearer ${token}` }
  await post(`/v1/x402/tasks/${task}/accept`, {}, bearer)
  await post(`/v1/x402/tasks/${hire}/accept`, {}, bearer)
  const { message_id: message } = await at(buyer).call('sendMessage', {
    params: { id: worker.id },
    body: { subject: plant('subject'), body: plant('message') },
  })
  const { secret } = await at(worker).call('rotateWebhookSecret', { params: { id: worker.id } })
  await aLink(worker)
  secrets.set(secret, 'webhook secret').set(secret.replace('whsec_', ''), 'webhook secret, bare')
  return { agent: worker.id, task, hire, message }
}

/** Somebody signs in, asks for a code for an agent, and signs out. */
async function aVisit(): Promise<void> {
  const email = newEmail()
  secrets.set(email, 'mail address')
  await post('/v1/owner/sign-in', { email })
  const link = new URL(linkIn(await mailTo(stage, email)))
  const token = link.searchParams.get('token') ?? ''
  secrets.set(token, 'token of a link')
  await fetch(`${node.url}${link.pathname}${link.search}`)
  const body = new URLSearchParams({ token })
  const confirmed = await fetch(`${node.url}${link.pathname}`, { method: 'POST', redirect: 'manual', body })
  const session = cookieIn(confirmed.headers)
  const { headers } = ownerWith(stage, email, session)
  secrets.set(session, 'session').set(headers['X-CSRF-Token'] ?? '', 'CSRF token')
  const { code } = (await (await post('/v1/owner/agents/codes', {}, headers)).json()) as { readonly code: string }
  secrets.set(code, 'code for an agent')
  await post('/v1/owner/sign-out', {}, headers)
}

/** A person stands behind the agent: who they are, and what only their browser holds. */
async function aLink(agent: Player): Promise<void> {
  const { link_url } = await at(agent).identity.start()
  const email = `${plant('email of a person')}@example.com`
  const jar = openJar()
  const yes = formOf(await signIn(jar, link_url, { email, name: 'Ada' }), 'name="code"')
  const { state = '', code = '' } = yes
  const cookie = jar.cookies().find(({ name }) => name.startsWith('__Host-agentid'))?.value ?? ''
  secrets.set(state, 'state of a link').set(code, 'code of the provider').set(cookie, 'binding cookie')
  const result = await jar.open(`${node.url}/v1/agentid/callback/confirm`, { form: yes })
  expect(result.status).toBe(200)
  expect(result.text).not.toContain(email)
}

async function aHire(): Promise<{ hire: string; token: string }> {
  const path = '/v1/x402/tasks/usd-1'
  const { terms } = await hirePrice(stage, unsigned(path, aTask))
  const { header } = await signPayment(stage, terms, await newHirer(stage))
  const answer = await post(path, aTask, { 'PAYMENT-SIGNATURE': header, 'Idempotency-Key': plant('Idempotency-Key') })
  const { task_id: hire, manage } = (await answer.json()) as { task_id: string; manage: { token: string } }
  secrets.set(manage.token, 'manage token').set(manage.token.slice(4), 'manage token, bare')
  return { hire, token: manage.token }
}

/** Refusals of every kind, with secrets in the requests that are refused. */
async function trouble(targets: Targets): Promise<readonly string[]> {
  const buyer = await newBuyer(stage, { usdc: '0' })
  const { terms } = await hirePrice(stage, unsigned('/v1/x402/tasks/usd-1', aTask))
  const { header } = await signPayment(stage, terms, buyer.wallet)
  const secret = () => ({ Authorization: `Bearer gmt_${plant('wrong token')}` })
  const payments = [header, `${header}x`, JSON.stringify({ x402Version: 2, payload: plant('payment') })]
  const answers = [
    ...payments.map((payment) => post('/v1/x402/tasks/usd-1', aTask, { 'PAYMENT-SIGNATURE': payment })),
    post('/v1/x402/tasks/usd-5', { ...aTask, extra: plant('value') }),
    post(`/v1/x402/tasks/${targets.hire}/cancel`, {}, secret()),
    post('/v1/tasks', aTask, { Authorization: `AgentSig ${plant('key')}:${plant('signature')}` }),
    fetch(`${node.url}/v1/tasks/${targets.task}?token=${plant('query')}`),
    fetch(`${node.url}/${plant('path')}`, { headers: secret() }),
  ]
  const texts = await Promise.all(answers.map(async (answer) => (await answer).text()))
  await stage.client().sandbox.setFaults({ facilitator: 'down', rpc: 'down' })
  const last = await post('/v1/x402/tasks/usd-1', aTask, { 'PAYMENT-SIGNATURE': header })
  await stage.client().sandbox.setFaults({ facilitator: 'ok', rpc: 'ok' })
  return [...texts, await last.text(), await withoutDatabase()]
}

/** In public when the task was written before the connections were cut, which is up to chance; never in the log. */
const LOST_TITLE = 'title of a lost task'

/** The connections of all nodes are cut while a request is on its way. */
async function withoutDatabase(): Promise<string> {
  const sql = new Client({ connectionString: stage.databaseUrl })
  await sql.connect()
  const agent = await newAgent(stage)
  const posting = at(agent)
    .tasks.post({ ...aTask, title: plant(LOST_TITLE) })
    .catch((error: unknown) => error)
  await sql.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )
  await sql.end()
  return JSON.stringify(await posting) ?? ''
}

/** Everything that nobody in particular, and a stranger, get to see. */
async function publicTexts(targets: Targets): Promise<readonly string[]> {
  // Not before the node has noticed that its connections were cut.
  const stranger = (await until(() => newAgent(stage).catch(() => null), Boolean)) as Player
  const reads = Object.entries(declared).filter(([, { method, streams }]) => method === 'GET' && streams === undefined)
  const queries: Readonly<Record<string, string>> = {
    inclusionProof: '?sequence=1&tree_size=2',
    consistencyProof: '?from=1&to=2',
    listTasks: '?status=all&limit=100',
    listChain: '?limit=1000',
  }
  const paths = reads.map(([name, { path }]) => `${pathOf(path, targets)}${queries[name] ?? ''}`)
  const pages = ['/', '/docs', '/.well-known/service.json', '/.well-known/x402', '/.well-known/agent.json', '/nothing']
  const asNobody = [...paths, ...pages].map(async (path) => {
    const answer = await fetch(`${node.url}${path}`, { headers: { Accept: 'text/html, application/json' } })
    return `${JSON.stringify([...answer.headers])} ${await answer.text()}`
  })
  const asStranger = reads
    .filter(([, { auth }]) => auth === 'agent')
    .map(([name]) =>
      at(stranger)
        .call(name as 'getSubmission', { params: { id: targets.task } })
        .then(JSON.stringify, (error: unknown) => `${error} ${JSON.stringify(error)}`),
    )
  return Promise.all([...asNobody, ...asStranger])
}

test('what is private is in no public answer, no page, no refusal and no line of the log', async () => {
  const { registry, escrow } = stage.parts.keys
  secrets.set(escrow.replace('0x', ''), 'escrow key').set(registry.replace('0x', ''), 'registry key')
  const targets = await aBusyDay()
  await aVisit()
  const refused = await trouble(targets)
  const seen = [...refused, ...(await publicTexts(targets))]
  const log = node.said()
  expect(secrets.size).toBeGreaterThan(40)
  expect(seen.join('').length).toBeGreaterThan(50_000)
  expect(log).toContain('"path":"/v1/x402/tasks/{id}/accept"')
  expect(found(seen.join('\n')).filter((what) => !what.startsWith(LOST_TITLE))).toEqual([])
  expect(found(log)).toEqual([])
})

/** What was found of the secrets, each with the text around it. */
const found = (text: string): readonly string[] =>
  [...secrets].flatMap(([secret, what]) => {
    const place = text.indexOf(secret)
    return place === -1 ? [] : [`${what}: … ${text.slice(Math.max(0, place - 300), place + secret.length + 20)}`]
  })
