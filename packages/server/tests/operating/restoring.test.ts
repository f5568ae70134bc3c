import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '@guildhall/sandbox'
import { createGuildhall, type Guildhall } from '@guildhall/sdk'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newAgent, newBuyer, newWorker, type Player } from '../support/cast.ts'
import { timesPaid, usdcOf } from '../support/chain-calls.ts'
import { atDesk } from '../support/desk.ts'
import { type NodeProcess, startNodeProcess } from '../support/node-process.ts'
import { ownPostgres } from '../support/own-postgres.ts'
import { type Stage, setStage } from '../support/stage.ts'
import { aBounty, deliveredTask, postEscrowed } from '../support/tasks.ts'
import { until } from '../support/until.ts'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
const MAIN = join(ROOT, 'packages/cli/src/main.ts')
const postgres = ownPostgres()
const played = setStage({ nodes: 0, openDatabase: postgres.open })

let stage: Stage
let directory: string
let port: string
let node: NodeProcess
let buyer: Player
let worker: Player
/** All were funded before the copy; the first two are paid out after it. */
let released: string
let refunded: string
let untouched: string

/** One node, whose data directory stays where it is. */
const startNode = (dataDir: string) =>
  startNodeProcess(stage, { PORT: port, GUILDHALL_DATA_DIR: join(directory, dataDir) })
const client = (options: object = {}): Guildhall =>
  createGuildhall({ baseUrl: `http://127.0.0.1:${port}`, clock: played.now, ...options })
const escrow = () => stage.escrow.address
const payouts = () => timesPaid(stage.chain(), escrow())
const task = async (id: string) => (await client().tasks.get(id)).task

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'guildhall-restoring-'))
  port = String(await freePort())
  stage = { ...played, client }
  node = await startNode('node')
  ;[buyer, worker] = [await newBuyer(stage), await newWorker(stage)]
  released = await deliveredTask(buyer, worker)
  untouched = await deliveredTask(buyer, worker)
  refunded = await postEscrowed(buyer, { bounty: aBounty(3) })
  expect(await node.terminate()).toBe(0)
  await postgres.copy('older')

  node = await startNode('node')
  await buyer.client.tasks.accept(released)
  await buyer.client.tasks.cancel(refunded)
  await newAgent(stage)
  await postEscrowed(buyer, { bounty: aBounty(7) })
  await until(payouts, (count) => count === 2)
  await until(
    () => Promise.all([released, refunded].map(task)),
    ([one, two]) => one?.escrow?.status === 'released' && two?.escrow?.status === 'refunded',
  )
  expect(await node.terminate()).toBe(0)
  await postgres.copy('newest')
  await mkdir(join(directory, 'idle'))
  await writeFile(join(directory, 'idle', 'ledger-head.json'), '')
})

afterAll(async () => {
  await node.stop()
  await rm(directory, { recursive: true, force: true })
})

type Said = { readonly code: number; readonly text: string }

/** What a command of the operator's says of the data directories, and its exit code. */
const ask = (
  command: string,
  words: readonly string[],
  dataDirs: readonly string[],
  settings: object = {},
): Promise<Said> =>
  new Promise((resolve) => {
    const env = { ...process.env, DATABASE_URL: played.databaseUrl, ...settings }
    const all = [...words, ...dataDirs.map((name) => join(directory, name))]
    execFile(command, all, { env, cwd: ROOT }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), text: `${stdout}${stderr}` }),
    )
  })

const compare = (...dataDirs: readonly string[]) => ask(process.execPath, [MAIN, 'ledger', 'compare'], dataDirs)

/** The script of the restore drill, told of the chains as a node is. */
const drill = (...dataDirs: readonly string[]) =>
  ask('sh', ['deploy/judge-copy.sh'], dataDirs, {
    GUILDHALL_ESCROW_WALLET: escrow(),
    GUILDHALL_NETWORKS: JSON.stringify(
      stage.parts.chains.map(({ network, rpcUrl, usdc }) => ({ network, rpc_url: rpcUrl, usdc })),
    ),
  })

/** How many payouts in the database were ever signed. */
async function signedPayouts(): Promise<number> {
  const sql = new Client({ connectionString: played.databaseUrl })
  await sql.connect()
  try {
    const text = `select id from transfers where purpose in ('release', 'refund') and signature is not null`
    return (await sql.query(text)).rows.length
  } finally {
    await sql.end()
  }
}

test('an older copy is told from the newest, by the operator and by the node that has sealed more, which does not start on it', async () => {
  await postgres.restore('older')
  const compared = await drill('node', 'idle')
  expect(compared.code).toBe(6)
  expect(compared.text).toContain('may NOT take the place')
  expect(compared.text).toMatch(/node: recorded entry \d+, which the database does NOT have\./)
  expect(compared.text).toContain('idle: nothing is recorded here.')
  expect(compared.text.match(/which no payout asked for/g)).toHaveLength(2)

  node = await startNode('node')
  expect(await node.terminate()).toBe(1)
  expect(node.said()).toContain(
    'An older copy seems to have been restored; nothing is appended until that is resolved.',
  )
  expect(await payouts()).toBe(2)
})

test('a copy is not judged by a data directory that no node has ever used, such as a mistyped one', async () => {
  await postgres.restore('newest')
  const judged = await drill('node', 'mistyped')
  expect(judged.code).toBe(1)
  expect(judged.text).toContain('mistyped: there is no ledger-head.json.')
  expect(judged.text).not.toContain('may take the place')
})

test('the way back is the newest copy: the books hold, and the node goes on where it was', async () => {
  await postgres.restore('newest')
  expect(await drill('node')).toEqual({ code: 0, text: expect.stringContaining('The books hold.') })
  node = await startNode('node')
  await newAgent(stage)
  expect((await client().chain.verify()).fault).toBeNull()
  expect(await task(released)).toMatchObject({ payment_status: 'settled' })
  expect(await node.terminate()).toBe(0)
})

test('where only the older copy is left, a node without a record pays nothing twice: the chain shows what was paid', async () => {
  await postgres.restore('older')
  node = await startNode('fresh')
  await client().sandbox.moveClock(61)
  const standing = await until(
    () => atDesk(stage, (desk) => desk.payouts()),
    ({ paused }) => paused,
  )
  expect(standing.reason).toContain('without a payout on record')
  expect(await task(released)).toMatchObject({ status: 'submitted', escrow: { status: 'funded' } })

  await buyer.client.tasks.accept(released)
  await buyer.client.tasks.cancel(refunded)
  await until(
    () => Promise.all([released, refunded].map(task)),
    ([one, two]) => one?.escrow?.status === 'released' && two?.escrow?.status === 'refunded',
  )
  expect(await payouts()).toBe(2)
  expect(await signedPayouts()).toBe(0)
  expect(await usdcOf(stage.chain(), worker.wallet.address)).toBe(5_000_000n)

  const [stray] = await atDesk(stage, (desk) => desk.strays({ returned: false, limit: 10 }))
  expect(stray).toMatchObject({ amount: 7_000_000n, counterparty: buyer.wallet.address.toLowerCase() })
  await atDesk(stage, (desk) => desk.returnStray(stray?.id ?? '', null))
  await client().sandbox.moveClock(61)
  await atDesk(stage, (desk) => desk.resumePayouts())
  await buyer.client.tasks.accept(untouched)
  await until(
    () => payouts(),
    (count) => count === 4,
  )
  await until(
    () => usdcOf(stage.chain(), escrow()),
    (balance) => balance === 0n,
  )
  expect(await usdcOf(stage.chain(), worker.wallet.address)).toBe(10_000_000n)
  expect(await usdcOf(stage.chain(), buyer.wallet.address)).toBe(90_000_000n)
  expect(await node.terminate()).toBe(0)
  expect(await played.askOracle()).toEqual([])
  // Money is whole again; what was published of the ledger after the copy is not in this one, and never will be.
  expect(await compare('node')).toMatchObject({ code: 6 })
})
