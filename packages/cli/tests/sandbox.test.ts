import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, startPostgres } from '@guildhall/sandbox'
import { createGuildhall, generateKey } from '@guildhall/sdk'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { runNode } from './support/run-node.ts'

const MAIN = join(import.meta.dirname, '../src/main.ts')
const room = mkdtempSync(join(tmpdir(), 'guildhall-cli-'))
const dataDir = join(room, 'data')
const started: ChildProcess[] = []
const WAITING = { timeout: 60_000, interval: 50 }

type Running = { readonly child: ChildProcess; readonly output: () => string }

function start(port: number, environment: NodeJS.ProcessEnv = {}, inOwnGroup = false): Running {
  const env = { ...process.env, GUILDHALL_DATA_DIR: dataDir, PORT: String(port), ...environment }
  const child = spawn(process.execPath, [MAIN, 'sandbox'], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: inOwnGroup,
  })
  started.push(child)
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      text += chunk.toString()
    })
  }
  return { child, output: () => text }
}

async function ready(port: number, { child, output }: Running): Promise<void> {
  const until = performance.now() + 100_000
  while (performance.now() < until) {
    if (child.exitCode !== null) throw new Error(`it ended: ${output()}`)
    const answer = await fetch(`http://127.0.0.1:${port}/v1/health`).catch(() => null)
    if (answer?.ok && output().includes('http://')) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`it was not ready: ${output()}`)
}

const ended = async ({ child }: Running): Promise<number | null> => {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return child.exitCode
}

let postgres: Awaited<ReturnType<typeof startPostgres>>
let port: number
let first: Running

beforeAll(async () => {
  postgres = await startPostgres({ dataDir: join(room, 'postgres'), log: () => {} })
  port = await freePort()
  first = start(port, { DATABASE_URL: postgres.url })
  await ready(port, first)
})

afterAll(async () => {
  for (const child of started) child.kill('SIGTERM')
  for (const child of started) if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  await postgres.stop()
  rmSync(room, { recursive: true, force: true })
})

/** A name that nobody has yet, also when a test is tried a second time. */
const fresh = (name: string): string => `${name} ${randomUUID().slice(0, 8)}`
const profile = (name: string) => ({ name, description: 'A test agent.', capabilities: ['testing'] })
const client = (at: number, key = generateKey().secretKey) =>
  createGuildhall({ baseUrl: `http://127.0.0.1:${at}`, key })

test('a start prints where everything is', async () => {
  await expect.poll(first.output, WAITING).toContain('Ctrl-C')
  expect(first.output()).toContain(`npm run demo -- --url http://127.0.0.1:${port}\n`)
  for (const word of [
    'console',
    'API reference',
    'health',
    'task board',
    'ledger',
    'eip155:8453',
    'facilitator',
    'mail',
  ]) {
    expect(first.output()).toContain(word)
  }
})

/** Signs in as a person does, by the mail page; gives what the browser then sends. */
async function signIn(email: string): Promise<Readonly<Record<string, string>>> {
  const url = `http://127.0.0.1:${port}`
  const headers = { 'Content-Type': 'application/json' }
  await fetch(`${url}/v1/owner/sign-in`, { method: 'POST', headers, body: JSON.stringify({ email }) })
  const { mail_url: mails } = await client(port).sandbox.info()
  let link: string | undefined
  for (let turn = 0; turn < 1_000 && link === undefined; turn++) {
    link = /http:[^<"]+\/console\/confirm[^<"]+/.exec(await (await fetch(mails)).text())?.[0]
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const token = new URL(link ?? '').searchParams.get('token') ?? ''
  const body = new URLSearchParams({ token })
  const confirmed = await fetch(`${url}/console/confirm`, { method: 'POST', redirect: 'manual', body })
  const Cookie = confirmed.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const session = await (await fetch(`${url}/v1/owner/session`, { headers: { Cookie } })).json()
  return { Cookie, 'X-CSRF-Token': session.csrf_token }
}

test('a person signs in by the mail page and links an agent, which signs the code on its command line', async () => {
  const owner = await signIn('ada@example.org')
  const secretKey = generateKey().secretKey
  await client(port, secretKey).agents.register(profile(fresh('Own')))
  const codes = await fetch(`http://127.0.0.1:${port}/v1/owner/agents/codes`, { method: 'POST', headers: owner })
  const { code } = (await codes.json()) as { readonly code: string }
  const environment = { GUILDHALL_AGENT_KEY: Buffer.from(secretKey).toString('hex') }
  const agent = (...words: string[]) =>
    runNode([MAIN, 'agent', ...words, '--url', `http://127.0.0.1:${port}`], environment)
  expect((await agent('link', code)).stdout).toBe('Linked to a***@example.org.\n')
  const again = await agent('link', code)
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('The code is unknown, used, or too old.')])
  expect((await agent('unlink')).stdout).toBe('Unlinked.\n')
})

test('a second start on a data directory in use refuses plainly', async () => {
  const second = start(await freePort())
  expect(await ended(second)).toBe(3)
  await expect.poll(second.output, WAITING).toContain('is in use by another Guildhall')
})

test('a start on a taken port refuses plainly', async () => {
  const second = start(port, { GUILDHALL_DATA_DIR: join(room, 'other') })
  expect(await ended(second)).toBe(3)
  await expect.poll(second.output, WAITING).toContain(`Port ${port} on 127.0.0.1 is in use already`)
})

test('a start on a port to which no browser connects refuses plainly', async () => {
  const second = start(6666, { GUILDHALL_DATA_DIR: join(room, 'other') })
  expect(await ended(second)).toBe(2)
  await expect
    .poll(second.output, WAITING)
    .toContain('PORT is 6666, but browsers and fetch never connect to that port.')
})

test('with the same DATABASE_URL and another PORT it joins as a second node that follows the moved clock', async () => {
  const otherPort = await freePort()
  const second = start(otherPort, { DATABASE_URL: postgres.url })
  await ready(otherPort, second)
  const agent = client(port)
  const name = fresh('Seen by both')
  await agent.agents.register(profile(name))
  expect((await client(otherPort).agents.get(name)).agent_id).toBe(agent.agentId)

  const there = async () => Date.parse((await client(otherPort).sandbox.info()).now)
  const before = await there()
  await client(port).sandbox.moveClock(3_600)
  await expect.poll(there, WAITING).toBeGreaterThanOrEqual(before + 3_600_000)
  second.child.kill('SIGTERM')
  expect(await ended(second)).toBe(0)
})

test('a start that is stopped before the service answers ends at once, and the service with it', async () => {
  const second = start(await freePort(), { DATABASE_URL: postgres.url })
  const [service = 0] = await vi.waitUntil(async () => {
    const found = await childrenOf(second.child.pid ?? 0)
    return found.length > 0 && found
  }, WAITING)
  process.kill(service, 'SIGSTOP')
  second.child.kill('SIGTERM')
  process.kill(service, 'SIGKILL')
  expect(await ended(second)).toBe(0)
  await expect.poll(second.output, WAITING).toContain('Stopping')
  expect(second.output()).not.toMatch(/joined|started again/)
  await vi.waitUntil(() => !isAlive(service), WAITING)
})

test('a kill -9 of the process group leaves no service behind that still answers, however busy it is', async () => {
  const otherPort = await freePort()
  const second = start(otherPort, { DATABASE_URL: postgres.url }, true)
  await ready(otherPort, second)
  const [sandbox = 0, service = 0] = [second.child.pid, ...(await childrenOf(second.child.pid ?? 0))]
  // So busy that it does not notice the end of its parent.
  process.kill(service, 'SIGSTOP')
  process.kill(-sandbox, 'SIGKILL')
  await ended(second)
  await vi.waitUntil(() => !isAlive(service), WAITING)
})

test('everything acknowledged, the moved clock and the chains survive a kill -9', async () => {
  const address = `0x${randomBytes(20).toString('hex')}`
  const agent = client(port)
  await agent.agents.register(profile(fresh('Survivor')))
  const { task_id } = await agent.tasks.post({ title: 'Survive', description: 'Be there afterwards.' })
  await agent.sandbox.faucet({ address, network: 'eip155:8453', usdc: '7' })
  await agent.sandbox.moveClock(86_400)
  const before = await agent.sandbox.info()
  first.child.kill('SIGKILL')
  await ended(first)

  first = start(port, { DATABASE_URL: postgres.url })
  await ready(port, first)
  expect((await agent.tasks.get(task_id)).task.title).toBe('Survive')
  const { balance_usdc } = await agent.sandbox.faucet({ address, network: 'eip155:8453', usdc: '1' })
  expect(balance_usdc).toBe('8.00')
  expect(Date.parse((await agent.sandbox.info()).now)).toBeGreaterThanOrEqual(Date.parse(before.now))
})

test('a service that is killed is started again', async () => {
  const agent = client(port)
  const { child } = first
  const pids = await childrenOf(child.pid ?? 0)
  for (const pid of pids) process.kill(pid, 'SIGKILL')
  await ready(port, first)
  expect((await agent.service.health()).status).toBe('ok')
})

test('SIGTERM stops everything and says where the data is', async () => {
  first.child.kill('SIGTERM')
  expect(await ended(first)).toBe(0)
  await expect.poll(first.output, WAITING).toContain('Stopped. Everything is kept in')
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** The service processes among the children of the sandbox. */
async function childrenOf(parent: number): Promise<readonly number[]> {
  const ps = spawn('ps', ['-eo', 'pid=,ppid=,args='])
  let text = ''
  ps.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString()
  })
  await once(ps, 'close')
  return text
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, ppid, ...args]) => Number(ppid) === parent && args.includes('serve'))
    .map(([pid]) => Number(pid))
}
