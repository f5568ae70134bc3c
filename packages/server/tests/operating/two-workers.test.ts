import { DAY } from '@guildhall/protocol'
import { afterAll, expect, test } from 'vitest'
import { give, newBuyer, newWorker, type Player } from '../support/cast.ts'
import { timesPaid, usdcOf } from '../support/chain-calls.ts'
import { atDesk } from '../support/desk.ts'
import { type NodeProcess, startNodeProcess } from '../support/node-process.ts'
import { mailsTo } from '../support/owners.ts'
import { newPerson, postAs } from '../support/people.ts'
import { setStage } from '../support/stage.ts'
import { aBounty, claimAndDeliver, deliveredTask, postEscrowed } from '../support/tasks.ts'
import { until } from '../support/until.ts'

/** Takes the requests; everything that happens by itself is left to the workers. */
const stage = setStage({ settings: { GUILDHALL_ROLE: 'api' } })
const workers: NodeProcess[] = []
afterAll(async () => {
  for (const worker of workers) await worker.stop()
})

const startWorker = () => startNodeProcess(stage, { GUILDHALL_ROLE: 'worker', GUILDHALL_LOG_LEVEL: 'info' })
const escrowWallet = async () => (await stage.client().sandbox.info()).networks[0]?.escrow_wallet as `0x${string}`
const several = <T>(make: () => Promise<T>) => Promise.all(Array.from({ length: 5 }, make))
const told = async (player: Player, type: string) =>
  (await player.client.events.list({ type, limit: 100 })).events.map(({ ref_id }) => ref_id).toSorted()

test('two workers that find the same things due at the same moment do each of them once', async () => {
  const [buyer, worker, idler] = [
    await newBuyer(stage, { usdc: '200' }),
    await newWorker(stage),
    await newWorker(stage),
  ]
  const person = await newPerson(stage)
  const bounty = aBounty(2)
  const delivered = await several(() => deliveredTask(buyer, worker, { bounty }))
  const expiring = await several(() => postEscrowed(buyer, { bounty, expires_in_days: 6 }))
  const claimed = await several(() => postEscrowed(buyer, { bounty, expires_in_days: 30 }))
  for (const id of claimed) await idler.client.tasks.claim(id)
  const reviewed = await postAs(stage, person)
  await claimAndDeliver(worker, reviewed)
  await give(stage, await escrowWallet(), '3')

  await stage.moveClocks(5.5 * DAY)
  workers.push(...(await Promise.all([startWorker(), startWorker()])))
  await until(
    () => mailsTo(stage, person.email),
    (mails) => mails.length >= 1,
  )
  await stage.moveClocks(2 * DAY)
  const task = async (id: string) => (await stage.client().tasks.get(id)).task
  await until(
    () => Promise.all([...delivered, ...expiring].map(task)),
    (tasks) => tasks.every(({ payment_status }) => ['settled', 'refunded'].includes(payment_status)),
    30_000,
  )
  await until(
    () => Promise.all(claimed.map(task)),
    (tasks) => tasks.every(({ status }) => status === 'open'),
  )
  await stage.moveClocks(DAY)
  expect(await Promise.all(workers.map((one) => one.terminate()))).toEqual([0, 0])

  expect(await timesPaid(stage.chain(), await escrowWallet())).toBe(10)
  expect(await usdcOf(stage.chain(), worker.wallet.address)).toBe(10_000_000n)
  expect(await usdcOf(stage.chain(), buyer.wallet.address)).toBe(180_000_000n)
  expect(await told(worker, 'task.verified')).toEqual([...delivered, reviewed].toSorted())
  expect(await told(buyer, 'task.expired')).toEqual(expiring.toSorted())
  expect(await told(idler, 'task.claim_expired')).toEqual(claimed.toSorted())
  const strays = await atDesk(stage, (desk) => desk.strays({ returned: true, limit: 10 }))
  expect(strays.map(({ amount }) => amount)).toEqual([3_000_000n])
  const subjects = (await mailsTo(stage, person.email)).map(({ subject }) => subject)
  expect(subjects.toSorted()).toEqual([...new Set(subjects)].toSorted())
})
