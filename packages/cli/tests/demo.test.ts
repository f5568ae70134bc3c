import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@guildhall/sandbox'
import { createGuildhall, generateKey } from '@guildhall/sdk'
import { type Address, createPublicClient, erc20Abi, type Hash, http, parseEventLogs } from 'viem'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { ensureSandbox, type UsedSandbox } from '../src/demo/ensure-sandbox.ts'
import { codeBlocks, readText } from './support/readme.ts'
import { type Ended, runNode } from './support/run-node.ts'

const FIVE_USDC = 5_000_000n
const START_MS = 300_000

let dataDir: string
let sandbox: UsedSandbox

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'guildhall-demo-'))
  vi.stubEnv('GUILDHALL_DATA_DIR', dataDir)
  vi.stubEnv('DATABASE_URL', '')
  sandbox = await ensureSandbox(`http://127.0.0.1:${await freePort()}`, { say() {}, progress() {} })
}, START_MS)

afterAll(async () => {
  await sandbox?.stop()
  await rm(dataDir, { recursive: true, force: true })
}, START_MS)

const client = () => createGuildhall({ baseUrl: sandbox.url })
const runDemo = () => runNode(['packages/cli/src/main.ts', 'demo', '--url', sandbox.url])

test('the README’s examples run as they stand: a task is paid, another one is hired by wallet alone', async () => {
  const examples = codeBlocks(readText('README.md'), 'ts')
  expect(examples).toHaveLength(2)
  const environment = { GUILDHALL_URL: sandbox.url }
  const before = (await client().service.status()).tasks
  const { code, stdout, stderr } = await runNode(
    ['--input-type=module-typescript', '--eval', examples.join('\n')],
    environment,
  )
  expect(stderr).toBe('')
  expect(code).toBe(0)
  expect(stdout).toMatch(/^settled 0x[0-9a-f]{64}$/m)
  expect(stdout).toMatch(/^200 \{$/m)
  expect(stdout).toMatch(/token: 'gmt_/)
  await expect
    .poll(async () => (await client().service.status()).tasks)
    .toMatchObject({
      paid: before.paid + 1,
      paid_usdc_total: (Number(before.paid_usdc_total) + 5).toFixed(2),
      open: before.open + 1,
    })
})

test('the example of the first page runs as it stands, a second time too, and does the work that it finds', async () => {
  const hall = createGuildhall({ baseUrl: sandbox.url, key: generateKey().secretKey })
  await hall.agents.register({
    name: `Poster ${randomUUID().slice(0, 8)}`,
    description: 'Posts.',
    capabilities: ['posting'],
  })
  const page = await (await fetch(sandbox.url, { headers: { Accept: 'text/html' } })).text()
  const [, shown = ''] = /aria-label="Working with the TypeScript client"><code>(.*?)<\/code>/s.exec(page) ?? []
  const example = shown.replaceAll('&#39;', "'").replaceAll('&amp;', '&')
  for (const title of ['Count to three', 'Count to three again']) {
    const task = { title, description: 'In English.', required_capabilities: ['counting'] }
    const { task_id } = await hall.tasks.post(task)
    const { code, stderr } = await runNode(['--input-type=module-typescript', '--eval', example])
    expect([code, stderr]).toEqual([0, ''])
    expect((await hall.tasks.get(task_id)).task.status).toBe('submitted')
  }
})

test('the demo holds, and the chain shows what it says', async () => {
  const ended = await runDemo()
  expectHeld(ended)
  const [buyer, worker] = [walletAfter(ended, 'faucet'), walletAfter(ended, 'payout')]
  const { escrow_wallet: escrow } = await base()
  expect(await transfersIn(factOf(ended, 'deposit'))).toContainEqual([buyer, escrow, FIVE_USDC])
  expect(await transfersIn(factOf(ended, 'release'))).toContainEqual([escrow, worker, FIVE_USDC])
  expect(await balanceOf(worker)).toBe(FIVE_USDC)
  expect(await balanceOf(buyer)).toBe(FIVE_USDC)
  expect((await client().chain.verify()).fault).toBeNull()
})

test('the demo holds in a sandbox whose clock was moved', async () => {
  await client().sandbox.moveClock(7 * 86_400)
  expectHeld(await runDemo())
})

test('the demo fails when the task cannot be paid', async () => {
  await client().sandbox.setFaults({ facilitator: 'down' })
  const { code, stdout, stderr } = await runDemo()
  await client().sandbox.setFaults({ facilitator: 'ok' })
  expect(code).toBe(1)
  expect(stderr).toContain('facilitator')
  expect(stdout).not.toContain('Everything held')
})

test('the demo says plainly when there is no sandbox and none can be started', async () => {
  const { code, stderr } = await runNode(['packages/cli/src/main.ts', 'demo', '--url', 'https://127.0.0.1:1'])
  expect(code).toBe(1)
  expect(stderr.trim().split('\n')).toHaveLength(1)
})

function expectHeld({ code, stdout, stderr }: Ended): void {
  expect(stderr).toBe('')
  expect(stdout).not.toContain('✗')
  expect(stdout).toContain('Everything held')
  expect(code).toBe(0)
}

const factOf = ({ stdout }: Ended, name: string): Hash =>
  new RegExp(`^ +${name} +(0x[0-9a-f]{64})$`, 'm').exec(stdout)?.[1] as Hash

/** The wallet that the demo prints in the step whose title has this word. */
const walletAfter = ({ stdout }: Ended, word: string): Address =>
  new RegExp(`${word}.*?wallet +(0x[0-9a-fA-F]{40})$`, 'ms').exec(stdout)?.[1]?.toLowerCase() as Address

async function base() {
  const found = (await client().sandbox.info()).networks.find(({ network }) => network === 'eip155:8453')
  if (!found) throw new Error('the sandbox has no Base')
  return { ...found, chain: createPublicClient({ transport: http(found.rpc_url) }) }
}

async function transfersIn(hash: Hash) {
  const { chain } = await base()
  const { logs } = await chain.getTransactionReceipt({ hash })
  return parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs }).map(({ args }) => [
    args.from.toLowerCase(),
    args.to.toLowerCase(),
    args.value,
  ])
}

async function balanceOf(holder: Address): Promise<bigint> {
  const { chain, usdc } = await base()
  return chain.readContract({
    address: usdc as Address,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [holder],
  })
}
