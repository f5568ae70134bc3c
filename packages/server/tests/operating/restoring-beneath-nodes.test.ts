import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withdrawalNonce } from '@guildhall/protocol'
import { freePort } from '@guildhall/sandbox'
import { createGuildhall, type Guildhall, type GuildhallOptions } from '@guildhall/sdk'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readHeadRecord } from '../../src/ledger/file-head-record.ts'
import { give, newAgent, newBuyer, newWorker, type Player } from '../support/cast.ts'
import { timesPaid, usdcOf } from '../support/chain-calls.ts'
import { atDesk } from '../support/desk.ts'
import { insistingFetch } from '../support/insisting-fetch.ts'
import { type NodeProcess, startNodeProcess } from '../support/node-process.ts'
import { ownPostgres } from '../support/own-postgres.ts'
import { BASE, type Stage, setStage } from '../support/stage.ts'
import { aBounty, postEscrowed, postFree } from '../support/tasks.ts'
import { until } from '../support/until.ts'

/** The nodes run on while a copy takes its place. */
const postgres = ownPostgres()
const played = setStage({ nodes: 0, openDatabase: postgres.open })
const ROLES = ['both', 'api']
const ALL = { amount_atomic: '5000000' }

let stage: Stage
let directory: string
const ports: number[] = []
const nodes: NodeProcess[] = []
let buyer: Player
let worker: Player

type Options = Partial<GuildhallOptions> & { readonly node?: number }
const urlOf = (node: number) => `http://127.0.0.1:${ports[node]}`
const client = ({ node = 0, ...options }: Options = {}): Guildhall =>
  createGuildhall({ clock: played.now, attempts: 1, fetch: insistingFetch, ...options, baseUrl: urlOf(node) })
const dataDir = (role: string) => join(directory, role)
const startNode = (role: string) =>
  startNodeProcess(stage, {
    PORT: String(ports[ROLES.indexOf(role)]),
    GUILDHALL_ROLE: role,
    GUILDHALL_DATA_DIR: dataDir(role),
  })
const payouts = () => timesPaid(stage.chain(), stage.escrow.address)

/** The worker's first withdrawal, whichever copy it is asked for on. */
const withdrawalIs = (wanted: string) => {
  const params = { network: BASE, payer: stage.escrow.address, nonce: withdrawalNonce(worker.id, 1) }
  return until(
    () => client().call('getAuthorization', { params }),
    ({ state }) => state === wanted,
  )
}

const healths = () =>
  Promise.all(
    ROLES.map((_, node) =>
      fetch(`${urlOf(node)}/v1/health`).then(
        ({ status }) => status,
        () => null,
      ),
    ),
  )
const bothSay = (status: number) => until(healths, (said) => said.every((one) => one === status))

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'guildhall-beneath-'))
  stage = { ...played, client }
  for (const role of ROLES) {
    ports.push(await freePort())
    nodes.push(await startNode(role))
  }
  ;[buyer, worker] = [await newBuyer(stage), await newWorker(stage)]
  await give(stage, worker.wallet.address, '5')
  await worker.client.call('postBond', { body: { slots: 5 } })
  await postgres.copy('older')
  await bothSay(200)
  await worker.client.call('withdrawBond', { body: ALL })
  await postEscrowed(buyer, { bounty: aBounty(7) })
  await until(payouts, (count) => count === 1)
  await postgres.copy('newest')
})

afterAll(async () => {
  for (const node of nodes) await node.stop()
  await rm(directory, { recursive: true, force: true })
})

test('a bond that was paid back after the copy is not paid back again: the copy finds that payment and books it', async () => {
  await postgres.restore('older')
  await bothSay(200)
  await worker.with({ node: 1 }).call('withdrawBond', { body: ALL })
  await withdrawalIs('settled')
  expect(await payouts()).toBe(1)
  expect(await usdcOf(stage.chain(), worker.wallet.address)).toBe(5_000_000n)
})

test.each([1, 0])(
  'a bond that was paid back after the copy is not paid back again in other parts with others’ money (node %i)',
  async (node) => {
    await postgres.restore('older')
    await bothSay(200)
    await worker.with({ node }).call('withdrawBond', { body: { amount_atomic: '3000000' } })
    const { reason } = await until(
      () => atDesk(stage, (desk) => desk.payouts()),
      ({ paused }) => paused,
    )
    expect(reason).toContain('without a payout on record')
    await withdrawalIs('dead')
    expect(await payouts()).toBe(1)
    expect(await usdcOf(stage.chain(), worker.wallet.address)).toBe(5_000_000n)
  },
)

test('a node without jobs follows what others seal: it appends nothing to a copy that lacks it, and does not start on it', async () => {
  await postgres.restore('newest')
  await bothSay(200)
  await newAgent(stage)
  const { sequence } = await client().chain.latest()
  await until(
    async () => ROLES.map((role) => readHeadRecord(dataDir(role))),
    (records) => records.every((record) => record !== null && record !== 'missing' && record.sequence === sequence),
  )
  await postgres.copy('with one more')
  await bothSay(200)

  await postgres.restore('older')
  await bothSay(503)
  for (const node of [0, 1]) {
    await expect(postFree({ ...buyer, client: buyer.with({ node, fetch }) })).rejects.toMatchObject({ status: 503 })
    expect((await client({ node }).chain.latest()).sequence).toBeLessThan(sequence)
  }
  await nodes[1]?.terminate()
  expect(await (await startNode('api')).terminate()).toBe(1)
  await postgres.restore('with one more')
})
