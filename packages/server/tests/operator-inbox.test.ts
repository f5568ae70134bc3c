import { expect, test } from 'vitest'
import { newId } from '../src/actions/new-id.ts'
import { newBuyer, newWorker } from './support/cast.ts'
import { atDesk } from './support/desk.ts'
import { sampleTestingRequest } from './support/samples.ts'
import { setStage } from './support/stage.ts'
import { deliveredTask } from './support/tasks.ts'
import { approvedTasks, confirmedRequest, deliverResult } from './support/testing-requests.ts'
import { until } from './support/until.ts'

const stage = setStage()
const inbox = async () => atDesk(stage, (desk) => desk.inbox(20))
const waiting = async () => (await inbox()).map(({ kind, id }) => `${kind} ${id}`)

test('what waits for an operator is in one place, the most urgent first, until it is dealt with', async () => {
  expect(await inbox()).toEqual([])

  const requestId = await confirmedRequest(stage)
  expect(await inbox()).toMatchObject([
    { kind: 'test request', id: requestId, command: expect.stringContaining(`guildhall testing approve ${requestId}`) },
  ])
  const [taskId = ''] = await approvedTasks(stage, requestId)
  expect(await inbox()).toEqual([])
  const worker = await newWorker(stage)
  await atDesk(stage, (desk) => desk.testing.allow(worker.id))
  await worker.client.tasks.claim(taskId)
  await deliverResult(worker, taskId)
  expect(await waiting()).toEqual([`test delivery ${taskId}`])
  await atDesk(stage, (desk) => desk.testing.decide(taskId, 'dispute', 'Made up.'))
  await until(waiting, ([first]) => first === `test dispute ${taskId}`)

  const buyer = await newBuyer(stage)
  const disputed = await deliveredTask(buyer, await newWorker(stage))
  await buyer.client.tasks.dispute(disputed, { reason: 'No seven.' })
  const { feedback_id } = await buyer.client.call('giveFeedback', {
    body: {
      scope: 'general',
      environment: 'A test.',
      expectedBehavior: 'An answer.',
      actualBehavior: 'None.',
      stepsToReproduce: 'Call it.',
      skillVersion: '0.7.0',
    },
  })
  await stage.chain().mint(stage.escrow.address, 7_000_000n)
  await stage.travel(120_000)
  await atDesk(stage, (desk) => desk.pausePayouts('a look at the books'))
  const seen = await until(inbox, ({ length }) => length === 5)
  expect(seen.map(({ kind }) => kind)).toEqual(['payouts', 'stray', 'test dispute', 'dispute', 'feedback'])
  expect(seen.find(({ kind }) => kind === 'stray')?.command).toMatch(/^guildhall suspense return str_/)
  expect(seen.find(({ kind }) => kind === 'dispute')?.id).toBe(disputed)
  expect(seen.find(({ kind }) => kind === 'feedback')?.id).toBe(feedback_id)

  await atDesk(stage, (desk) => desk.resumePayouts())
  await atDesk(stage, (desk) => desk.testing.decide(taskId, 'accept', null))
  await until(waiting, (left) => left.length === 3)
})

test('money that has been on its way for a quarter of an hour is told of', async () => {
  const buyer = await newBuyer(stage)
  const taskId = await deliveredTask(buyer, await newWorker(stage))
  await atDesk(stage, (desk) => desk.pausePayouts('a look at the books'))
  await buyer.client.tasks.accept(taskId)
  const { world } = stage.node().service
  const stuck = async (minutes: number) =>
    (await world.store.stuckTransfers(world.clock.now() + minutes * 60_000 - 15 * 60_000, 20)).length
  expect(await stuck(14)).toBe(0)
  expect(await stuck(15)).toBe(1)
  await atDesk(stage, (desk) => desk.resumePayouts())
  await stage.runDue()
  await expect.poll(() => stuck(15)).toBe(0)
})

test('a test that cannot be posted is told of, however many newer ones are running', async () => {
  const { world } = stage.node().service
  const running = async (trouble: string | null) => {
    const request = sampleTestingRequest({ id: newId(world, 'treq'), status: 'running', trouble })
    await world.store.transaction((tx) => tx.insertTestingRequest(request))
    return request.id
  }
  const troubled = await running('no money')
  await running(null)
  await running(null)
  const told = (await atDesk(stage, (desk) => desk.inbox(1))).filter(({ kind }) => kind === 'test trouble')
  expect(told.map(({ id }) => id)).toEqual([troubled])
})
