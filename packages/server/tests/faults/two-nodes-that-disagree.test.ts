import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MINUTE } from '@guildhall/protocol'
import { type Chain, startChain } from '@guildhall/sandbox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newBuyer, newWorker } from '../support/cast.ts'
import { mine, rpc, usdcOf } from '../support/chain-calls.ts'
import { networksOf } from '../support/node-environment.ts'
import { BASE, setStage } from '../support/stage.ts'
import { deliveredTask, postEscrowed } from '../support/tasks.ts'
import { until } from '../support/until.ts'

const depths = { confirmations: 1, finality: 1 }
const stage = setStage({ nodes: 0, depths, settings: { GUILDHALL_SETTLE_IN_REQUEST_MS: '400' } })
const task = async (id: string) => (await stage.client().tasks.get(id)).task

type Relay = (body: string) => Promise<string | null>

/** What the second node says; null: nothing. */
let relay: Relay
let second: Server
let fork: Chain
let directory: string

const to =
  ({ rpcUrl }: Chain): Relay =>
  async (body) =>
    (await fetch(rpcUrl, { method: 'POST', body })).text()

beforeAll(async () => {
  relay = to(stage.chain())
  second = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const said = await relay(body)
    if (said === null) response.destroy()
    else response.end(said)
  })
  await new Promise<void>((resolve) => second.listen(0, '127.0.0.1', resolve))
  directory = await mkdtemp(join(tmpdir(), 'guildhall-fork-'))
  fork = await startChain({ network: BASE, dataDir: directory, clock: Date.now, log: () => {} })
  const second_rpc_url = `http://127.0.0.1:${(second.address() as AddressInfo).port}`
  const networks = networksOf(stage.parts, depths).map((one) =>
    one.network === BASE ? { ...one, second_rpc_url } : one,
  )
  await stage.startNode({ GUILDHALL_NETWORKS: JSON.stringify(networks) })
})

afterAll(async () => {
  await fork.stop()
  second.closeAllConnections()
  second.close()
  await rm(directory, { recursive: true, force: true })
})

/** The other chain is ahead of ours, so that it has a block of its own for each of ours. */
async function toFork(): Promise<Relay> {
  await mine(fork, Number(await rpc(stage.chain(), 'eth_blockNumber')) + 50)
  return to(fork)
}

test.each<[string, () => Promise<Relay>, string]>([
  ['is on another fork', toFork, 'two nodes show different blocks'],
  ['does not answer', async () => async () => null, 'the second node: eth_getBlockByNumber: the connection failed'],
  ['is behind', async () => async () => '{"jsonrpc":"2.0","id":1,"result":null}', 'the second node: block'],
])('while a second node of the chain %s money comes in, and leaves only when they agree', async (_, says, why) => {
  const [buyer, worker] = [await newBuyer(stage), await newWorker(stage)]
  const id = await deliveredTask(buyer, worker)
  relay = await says()
  // Two nodes that have just agreed are believed for a moment.
  await until(
    () => stage.client().service.reserves(),
    ({ networks }) => networks.some(({ network, balance_atomic }) => network === BASE && balance_atomic === null),
  )
  expect(await task(await postEscrowed(buyer))).toMatchObject({ claimable: true })
  await buyer.client.tasks.accept(id)
  await stage.travel(10 * MINUTE)
  expect(await task(id)).toMatchObject({
    escrow: { status: 'releasing' },
    last_settle_error: expect.stringContaining(`the chain cannot be reached: ${why}`),
  })
  expect(await usdcOf(stage.chain(), worker.wallet.address)).toBe(0n)
  relay = to(stage.chain())
  await stage.travel(MINUTE)
  await until(
    () => task(id),
    ({ escrow }) => escrow?.status === 'released',
  )
  expect(await usdcOf(stage.chain(), worker.wallet.address)).toBe(5_000_000n)
})
