import type { Guildhall } from '@guildhall/sdk'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { migrate } from '../../src/store/migrate.ts'
import { newBuyer, newWorker, type Player } from '../support/cast.ts'
import { usdcOf } from '../support/chain-calls.ts'
import { bareDatabase } from '../support/database.ts'
import { startNodeProcess } from '../support/node-process.ts'
import { olderCommit, unpackRelease } from '../support/older-release.ts'
import { type Stage, setStage } from '../support/stage.ts'
import { silentLog } from '../support/store.ts'
import { aBounty, claimAndDeliver, postEscrowed, postFree } from '../support/tasks.ts'
import { until } from '../support/until.ts'

const commit = await olderCommit()
const release = commit === null ? null : await unpackRelease(commit)
const stage = setStage({
  nodes: 0,
  async openDatabase() {
    const database = await bareDatabase()
    await release?.migrate(database.url)
    return database
  },
})
afterAll(async () => {
  await release?.remove()
})

/** The same player at the node with this address. */
const at = (url: string, player: Player): Player => ({ ...player, client: player.with({ baseUrl: url }) })

/** The stage as it is seen from one node, for players to register there. */
const seenFrom = (url: string): Stage => ({ ...stage, client: (options) => stage.client({ baseUrl: url, ...options }) })

/** One task is paid and one is given back; what is begun at one node goes on at the other. */
async function journey(here: string, there: string): Promise<void> {
  const buyer = await newBuyer(seenFrom(here))
  const worker = await newWorker(seenFrom(there))
  const free = await postFree(at(there, buyer))
  await claimAndDeliver(at(here, worker), free)
  await at(there, buyer).client.tasks.accept(free)

  const paid = await postEscrowed(at(here, buyer), { bounty: aBounty(3) })
  await claimAndDeliver(at(there, worker), paid)
  await at(here, buyer).client.tasks.accept(paid)
  const cancelled = await postEscrowed(at(there, buyer), { bounty: aBounty(2) })
  await at(here, buyer).client.tasks.cancel(cancelled)
  await until(
    () => Promise.all([buyer, worker].map(({ wallet }) => usdcOf(stage.chain(), wallet.address))),
    ([left, earned]) => left === 97_000_000n && earned === 3_000_000n,
  )
  for (const url of [here, there]) await agree(at(url, buyer).client, buyer.id, [free, paid, cancelled])
}

/** What both nodes show of it. */
async function agree(client: Guildhall, creator: string, taskIds: readonly string[]): Promise<void> {
  const shown = await client.call('listTasks', { query: { creator, status: 'all', limit: 10 } })
  expect(shown.tasks.map(({ task_id }) => task_id).toSorted()).toEqual(taskIds.toSorted())
  const { events } = await client.events.list({ limit: 100 })
  expect(events.filter(({ type }) => type === 'task.delivered')).toHaveLength(2)
}

test.skipIf(release === null)(
  'the previous release works on while the schema is migrated, beside the next release, and after a rollback (skipped without history)',
  async () => {
    if (release === null) return
    const older = await startNodeProcess(stage, {}, release.main)
    onTestFinished(older.stop)
    await journey(older.url, older.url)

    expect((await migrate(stage.databaseUrl, silentLog)).length).toBeGreaterThan(0)
    await journey(older.url, older.url)

    const present = await stage.startNode()
    await journey(older.url, present.url)
    await journey(present.url, older.url)

    await stage.stopNode(present)
    await journey(older.url, older.url)
    expect(await older.terminate()).toBe(0)
  },
  600_000,
)
