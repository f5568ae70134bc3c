import { HOUR, MINUTE } from '@guildhall/protocol'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { give } from './support/cast.ts'
import { usdcOf } from './support/chain-calls.ts'
import { atDesk } from './support/desk.ts'
import { ALL_NETWORKS, BASE, POLYGON, setStage } from './support/stage.ts'
import { approvedTasks, confirmedRequest } from './support/testing-requests.ts'
import { until } from './support/until.ts'

/** Three runs cost more than the thousand that the house starts with. */
const stage = setStage({ networks: ALL_NETWORKS, settings: { GUILDHALL_TESTING_BOUNTY_USDC: '400' } })
const store = () => stage.node().service.world.store
const house = () => privateKeyToAccount(stage.parts.keys.house).address

/** The tasks of the three runs, once all of them are funded: a job of the node may still be at one when time has moved. */
const fundedRuns = (requestId: string) =>
  until(
    async () => Promise.all((await store().testingRuns(requestId)).map(({ taskId }) => store().task(taskId))),
    (tasks) => tasks.length === 3 && tasks.every((task) => task?.escrow?.status === 'funded'),
  )

test('a house that cannot pay posts nothing, says so, and goes on once it can', async () => {
  const requestId = await confirmedRequest(stage)
  await atDesk(stage, ({ testing }) => testing.approve(requestId))
  const request = await until(
    () => store().testingRequest(requestId),
    (now) => now?.trouble !== null,
  )
  expect(request?.trouble).toContain('holds 1000.00 USDC on eip155:8453, but 1200.00 are needed')
  expect(request?.status).toBe('approved')
  expect(await store().testingRuns(requestId)).toEqual([])
  await give(stage, house(), '5000')
  await stage.travel(MINUTE)
  await expect.poll(() => store().testingRequest(requestId)).toMatchObject({ status: 'running', trouble: null })
  await fundedRuns(requestId)
})

test('a deposit of the house that ran out unsent is paid again, and once', async () => {
  const before = await usdcOf(stage.chain(), house())
  const requestId = await confirmedRequest(stage)
  await stage.client().sandbox.setFaults({ facilitator: 'settle_reverts' })
  await atDesk(stage, ({ testing }) => testing.approve(requestId))
  await until(
    () => store().testingRuns(requestId),
    (runs) => runs.length === 3,
  )
  await stage.travel(2 * HOUR)
  await stage.client().sandbox.setFaults({ facilitator: 'ok' })
  await stage.travel(2 * HOUR)
  await fundedRuns(requestId)
  expect(before - (await usdcOf(stage.chain(), house()))).toBe(1_200_000_000n)
})

test('a deposit of the house is paid again where its bounty is, although tests are paid for on another network by now', async () => {
  const requestId = await confirmedRequest(stage)
  await give(stage, house(), '5000')
  await stage.client().sandbox.setFaults({ facilitator: 'settle_reverts' })
  await atDesk(stage, ({ testing }) => testing.approve(requestId))
  await until(
    () => store().testingRuns(requestId),
    (runs) => runs.length === 3,
  )
  await stage.startNode({ GUILDHALL_TESTING_NETWORK: POLYGON })
  await stage.stopNode(stage.node())
  await stage.travel(2 * HOUR)
  await stage.client().sandbox.setFaults({ facilitator: 'ok' })
  await stage.travel(2 * HOUR)
  const tasks = await fundedRuns(requestId)
  expect(tasks.map((task) => task?.bounty?.network)).toEqual([BASE, BASE, BASE])
  await stage.startNode()
  await stage.stopNode(stage.node())
})

test('a run that nobody claims expires, and the house gets its money back and posts it anew', async () => {
  const requestId = await confirmedRequest(stage)
  await give(stage, house(), '5000')
  const [first = ''] = await approvedTasks(stage, requestId)
  await stage.travel(30 * 24 * HOUR)
  await expect.poll(() => store().task(first)).toMatchObject({ status: 'expired', escrow: { status: 'refunded' } })
  const runs = async () => (await store().testingRuns(requestId)).map(({ attempt, outcome }) => [attempt, outcome])
  await expect.poll(runs).toEqual(
    [1, 2, 3].flatMap(() => [
      [1, 'lost'],
      [2, null],
    ]),
  )
  const later = async () => {
    await stage.travel(30 * 24 * HOUR)
    return store().testingRequest(requestId)
  }
  await expect.poll(later).toMatchObject({ status: 'expired' })
})
