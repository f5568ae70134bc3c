import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@guildhall/sandbox'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type Balancer, balance } from '../support/balancer.ts'
import { newBuyer, newWorker, type Player } from '../support/cast.ts'
import { usdcOf } from '../support/chain-calls.ts'
import { collected } from '../support/collected.ts'
import { listen } from '../support/event-source.ts'
import { type NodeProcess, startNodeProcess } from '../support/node-process.ts'
import { setStage } from '../support/stage.ts'
import { aBounty, claimAndDeliver, postEscrowed, postFree } from '../support/tasks.ts'
import { pauseMs, until } from '../support/until.ts'

/** Looks on; it takes no part in the deploy and runs no jobs. */
const stage = setStage({ settings: { GUILDHALL_ROLE: 'api' } })
const READERS = 12
const ROLES = ['api', 'api', 'worker'] as const

let directory: string
let ports: readonly number[]
let balancer: Balancer
const nodes: NodeProcess[] = []

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'guildhall-deploy-'))
  ports = [await freePort(), await freePort(), await freePort()]
  nodes.push(...(await Promise.all(ROLES.map((_, place) => startNode(place)))))
  balancer = balance(nodes.filter((_, place) => ROLES[place] === 'api').map(({ url }) => url))
})

afterAll(async () => {
  await balancer.stop()
  for (const node of nodes) await node.stop()
  await rm(directory, { recursive: true, force: true })
})

const startNode = (place: number) =>
  startNodeProcess(stage, {
    PORT: String(ports[place]),
    GUILDHALL_ROLE: ROLES[place],
    GUILDHALL_DATA_DIR: join(directory, String(place)),
    GUILDHALL_DRAIN_MS: '5000',
    GUILDHALL_LOG_LEVEL: 'info',
  })

/** A node with too much to do says so and does nothing, which is no fault of a deploy unless it is about to stop. */
const isBusy = ({ status, headers }: Response): boolean => status === 503 && headers.get('connection') !== 'close'

const sendOnceTaken: typeof fetch = async (input, init) => {
  const answer = await balancer.fetch(input, init)
  return isBusy(answer) ? sendOnceTaken(input, init) : answer
}

/** The same player behind the balancer. What is not answered has failed. */
const balanced = (player: Player): Player => ({ ...player, client: player.with({ fetch: sendOnceTaken }) })

/** One task after the other from its post to its acceptance, until told to stop; gives those that were acknowledged. */
async function work(poster: Player, worker: Player, isOver: () => boolean, post: (poster: Player) => Promise<string>) {
  const done: string[] = []
  while (!isOver()) {
    const id = await post(poster)
    await claimAndDeliver(worker, id)
    await poster.client.tasks.accept(id)
    done.push(id)
    await pauseMs(10)
  }
  return done
}

/** One read after the other until told to stop; gives their number. */
async function read({ client, id }: Player, isOver: () => boolean): Promise<number> {
  let count = 0
  for (; !isOver(); count++) {
    await client.tasks.list({ creator: id, status: 'all', limit: 5 })[Symbol.asyncIterator]().next()
    await client.agents.get(id)
  }
  return count
}

test('nodes are replaced one by one under load: no request fails, no acknowledged write is lost, streams miss nothing', async () => {
  const [poster, buyer] = [balanced(await newBuyer(stage)), balanced(await newBuyer(stage, { usdc: '500' }))]
  const [worker, paidWorker] = [balanced(await newWorker(stage)), balanced(await newWorker(stage))]
  const streams = [poster, buyer, worker].map((player) => listen(stage, player, balancer.fetch))
  onTestFinished(async () => void (await Promise.all(streams.map((stream) => stream.stop()))))
  let over = false
  const isOver = () => over
  const busy = Promise.all([
    work(poster, worker, isOver, postFree),
    work(buyer, paidWorker, isOver, (who) => postEscrowed(who, { bounty: aBounty(1) })),
    ...Array.from({ length: READERS }, () => read(poster, isOver)),
  ])
  const deploying = (async () => {
    for (const place of ROLES.keys()) {
      expect(await nodes[place]?.terminate()).toBe(0)
      nodes[place] = await startNode(place)
      await pauseMs(300)
    }
  })().finally(() => {
    over = true
  })
  await Promise.allSettled([busy, deploying])
  await deploying
  const [free, paid, ...reads] = await busy

  expect(free.length).toBeGreaterThan(5)
  expect(paid.length).toBeGreaterThan(2)
  expect(Math.min(...reads)).toBeGreaterThan(5)
  expect(Math.min(...balancer.asked.values())).toBeGreaterThan(10)

  for (const [player, acknowledged] of [
    [poster, free],
    [buyer, paid],
  ] as const) {
    const there = await collected(stage.client().tasks.list({ creator: player.id, status: 'all' }))
    expect(there.map(({ task_id }) => task_id).toSorted()).toEqual(acknowledged.toSorted())
    expect(there.every(({ status }) => status === 'verified')).toBe(true)
  }
  const owed = BigInt(paid.length) * 1_000_000n
  await until(
    () => usdcOf(stage.chain(), paidWorker.wallet.address),
    (balance) => balance === owed,
  )

  for (const { player, heard, connections } of streams) {
    const inbox = await collected(player.with({}).events.iterate({ after: '0' }))
    await until(
      async () => heard.length,
      (count) => count >= inbox.length,
    )
    expect(heard).toEqual(inbox.map(({ id }) => id))
    await until(
      async () => connections(),
      (count) => count > 1,
    )
  }
}, 600_000)
