import { DAY } from '@guildhall/protocol'
import { afterAll, expect, test } from 'vitest'
import { newWorker } from '../support/cast.ts'
import { timesPaid, usdcOf } from '../support/chain-calls.ts'
import { atDesk } from '../support/desk.ts'
import { fallingDue, toldOf } from '../support/falling-due.ts'
import { type NodeProcess, startNodeProcess } from '../support/node-process.ts'
import { mailsTo } from '../support/owners.ts'
import { setStage } from '../support/stage.ts'
import { until } from '../support/until.ts'

/** Takes the requests; everything that happens by itself is left to the workers. */
const stage = setStage({ settings: { GUILDHALL_ROLE: 'api' } })
const workers: NodeProcess[] = []
afterAll(async () => {
  for (const worker of workers) await worker.stop()
})

const startWorker = () => startNodeProcess(stage, { GUILDHALL_ROLE: 'worker', GUILDHALL_LOG_LEVEL: 'info' })

test('two workers that find the same things due at the same moment do each of them once', async () => {
  const worker = await newWorker(stage)
  const { buyer, idler, person, delivered, expiring, claimed, reviewed } = await fallingDue(stage, worker, 5)

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
  )
  await until(
    () => task(reviewed),
    ({ status }) => status === 'verified',
  )
  const strays = () => atDesk(stage, (desk) => desk.strays({ returned: true, limit: 10 }))
  await until(strays, ({ length }) => length > 0)
  await until(
    () => Promise.all(claimed.map(task)),
    (tasks) => tasks.every(({ status }) => status === 'open'),
  )
  await stage.moveClocks(DAY)
  expect(await Promise.all(workers.map((one) => one.terminate()))).toEqual([0, 0])

  expect(await timesPaid(stage.chain(), stage.escrow.address)).toBe(10)
  expect(await usdcOf(stage.chain(), worker.wallet.address)).toBe(10_000_000n)
  expect(await usdcOf(stage.chain(), buyer.wallet.address)).toBe(180_000_000n)
  expect(await toldOf(worker, 'task.verified')).toEqual([...delivered, reviewed].toSorted())
  expect(await toldOf(buyer, 'task.expired')).toEqual(expiring.toSorted())
  expect(await toldOf(idler, 'task.claim_expired')).toEqual(claimed.toSorted())
  expect((await strays()).map(({ amount }) => amount)).toEqual([3_000_000n])
  const subjects = (await mailsTo(stage, person.email)).map(({ subject }) => subject)
  expect(subjects.toSorted()).toEqual([...new Set(subjects)].toSorted())
})
