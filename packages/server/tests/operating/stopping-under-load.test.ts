import { connect } from 'node:net'
import { SECOND } from '@guildhall/protocol'
import { isGuildhallError } from '@guildhall/sdk'
import { Client } from 'pg'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { newAgent, newBuyer, newWorker, type Player } from '../support/cast.ts'
import { usdcOf } from '../support/chain-calls.ts'
import { collected } from '../support/collected.ts'
import { lyingFacilitator } from '../support/lying-facilitator.ts'
import { networksOf } from '../support/node-environment.ts'
import { type NodeProcess, startNodeProcess } from '../support/node-process.ts'
import { setStage } from '../support/stage.ts'
import { gate } from '../support/store.ts'
import { aBounty, aTask, deliveredTask, postFree } from '../support/tasks.ts'
import { until } from '../support/until.ts'

/** The node that is left does nothing by itself until a story says so. */
const stage = setStage({ settings: { GUILDHALL_ROLE: 'api', GUILDHALL_SETTLE_IN_REQUEST_MS: '100' } })
const task = async (id: string) => (await stage.client().tasks.get(id)).task
const tasksOf = ({ id }: Player) => collected(stage.client().tasks.list({ creator: id, status: 'all' }))

/** Longer than the lease of a node that stopped with it. */
const LEASE_IS_OVER = 20_000
const GRACE_MS = 10 * SECOND

const started: NodeProcess[] = []
afterEach(async () => {
  await stage.client().sandbox.setFaults({ facilitator: 'ok' })
  for (const node of started.splice(0)) await node.stop()
})

async function startNode(settings: Record<string, string>): Promise<NodeProcess> {
  const node = await startNodeProcess(stage, { GUILDHALL_SETTLE_IN_REQUEST_MS: '100', ...settings })
  started.push(node)
  return node
}

const at = (node: NodeProcess, player: Player): Player => ({ ...player, client: player.with({ baseUrl: node.url }) })

const refusesConnections = (url: string): Promise<boolean> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    socket.on('connect', () => socket.destroy()).on('close', () => resolve(false))
    socket.on('error', () => resolve(true))
  })

/**
 * Posts one task after the other until the node takes no more connections, and writes down those that were acknowledged. Whoever
 * does not follow its health may also be cut off in the queue of connections: that request must not have been carried out.
 */
async function postUntilRefused(poster: Player, acknowledged: string[]): Promise<void> {
  for (;;) {
    try {
      acknowledged.push(await postFree(poster))
    } catch (error) {
      if (isGuildhallError(error, 'no_answer') || isGuildhallError(error, 'outcome_unknown')) return
      throw error
    }
  }
}

test('a node that is told to stop under load says so, finishes what it is at, takes no more, and ends with 0', async () => {
  const facilitator = await lyingFacilitator(stage.parts.facilitatorUrl)
  onTestFinished(facilitator.close)
  const [verifying, settling] = [gate(), gate()]
  onTestFinished(settling.open)
  facilitator.hold({ verify: verifying.opened, settle: settling.opened })
  const depths = { confirmations: 1, finality: 1 }
  const networks = networksOf(stage.parts, depths).map((one) => ({ ...one, facilitator_url: facilitator.url }))
  const DRAIN_MS = 3 * SECOND
  const node = await startNode({ GUILDHALL_DRAIN_MS: String(DRAIN_MS), GUILDHALL_NETWORKS: JSON.stringify(networks) })
  const posters = await Promise.all(Array.from({ length: 6 }, async () => at(node, await newAgent(stage))))
  const buyer = at(node, await newBuyer(stage))
  const acknowledged = new Map(posters.map((poster) => [poster, [] as string[]]))
  const posting = [...acknowledged].map(([poster, ids]) => postUntilRefused(poster, ids))
  await until(
    async () => [...acknowledged.values()].flat().length,
    (count) => count > 20,
  )
  let answered = false
  const paying = buyer.client.tasks.post({ ...aTask, bounty: aBounty() }).finally(() => {
    answered = true
  })
  await until(
    async () => facilitator.verifies(),
    (count) => count === 1,
  )

  const toldAt = performance.now()
  const exit = node.terminate()
  await until(
    async () => (await fetch(`${node.url}/v1/health`)).status,
    (status) => status === 503,
  )
  await until(() => refusesConnections(node.url), Boolean)
  expect(performance.now() - toldAt).toBeGreaterThanOrEqual(DRAIN_MS - 50)
  expect(answered).toBe(false)
  verifying.open()
  const paid = await paying
  expect(await exit).toBe(0)

  await Promise.all(posting)
  for (const [poster, ids] of acknowledged) {
    const there = (await tasksOf(poster)).map(({ task_id }) => task_id)
    expect(there.toSorted()).toEqual(ids.toSorted())
  }
  expect(paid).toMatchObject({ ok: true, escrow: { status: 'funding' } })
  const later = async () => {
    await stage.travel(LEASE_IS_OVER)
    return tasksOf(buyer)
  }
  await expect.poll(later).toMatchObject([{ task_id: paid.task_id, escrow: { status: 'funded' } }])
  expect(await usdcOf(stage.chain(), buyer.wallet.address)).toBe(95_000_000n)
  expect(await stage.askOracle()).toEqual([])
})

test('a worker that waits for a slow facilitator ends with 0 within the grace, and another one finishes', async () => {
  const [buyer, payee] = [await newBuyer(stage), await newWorker(stage)]
  const id = await deliveredTask(buyer, payee)
  await stage.client().sandbox.setFaults({ facilitator: 'down' })
  await buyer.client.tasks.accept(id)
  await stage.client().sandbox.setFaults({ facilitator: 'slow' })
  await stage.moveClocks(LEASE_IS_OVER)
  const node = await startNode({ GUILDHALL_ROLE: 'worker', GUILDHALL_LOG_LEVEL: 'info' })
  await until(
    () => leasesOn(id),
    (count) => count === 1,
  )
  const toldAt = performance.now()
  expect(await node.terminate()).toBe(0)
  // The facilitator keeps its caller waiting for thirty seconds.
  expect(performance.now() - toldAt).toBeLessThan(2 * GRACE_MS)

  await stage.client().sandbox.setFaults({ facilitator: 'ok' })
  // The first attempt may meet the one that the facilitator still holds, and learn nothing; a later one does.
  const statusLater = async () => {
    await stage.travel(LEASE_IS_OVER)
    return (await task(id)).payment_status
  }
  await until(statusLater, (status) => status === 'settled')
  expect(await usdcOf(stage.chain(), payee.wallet.address)).toBe(5_000_000n)
})

async function leasesOn(taskId: string): Promise<number> {
  const client = new Client({ connectionString: stage.databaseUrl })
  await client.connect()
  try {
    const text = `select id from transfers where task_id = $1 and purpose = 'release' and lease_until > $2 and signature is not null`
    return (await client.query(text, [taskId, new Date(stage.now())])).rows.length
  } finally {
    await client.end()
  }
}
