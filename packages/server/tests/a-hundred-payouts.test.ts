import { MINUTE } from '@guildhall/protocol'
import { expect, test } from 'vitest'
import { newBuyer, newWorker } from './support/cast.ts'
import { timesPaid, usdcOf } from './support/chain-calls.ts'
import { atDesk } from './support/desk.ts'
import { setStage } from './support/stage.ts'
import { aBounty, deliveredTask, postEscrowed } from './support/tasks.ts'
import { until } from './support/until.ts'

const stage = setStage({ nodes: 2, settings: { GUILDHALL_SETTLE_IN_REQUEST_MS: '500' } })
const HALF = 50
const AT_ONCE = 5
const PATIENCE_MS = 240_000

async function fifty<T>(make: (nr: number) => Promise<T>): Promise<readonly T[]> {
  const made: T[] = []
  for (let first = 0; first < HALF; first += AT_ONCE)
    made.push(...(await Promise.all(Array.from({ length: AT_ONCE }, (_, place) => make(first + place)))))
  return made
}

test('a hundred payouts that are asked for while payouts are paused all wait, and each leaves once when they go on', async () => {
  const [buyer, worker] = [await newBuyer(stage, { usdc: '100' }), await newWorker(stage)]
  const bounty = aBounty(1)
  const cancelled = await fifty(() => postEscrowed(buyer, { bounty }))
  const accepted = await fifty(() => deliveredTask(buyer, worker, { bounty }))
  const escrow = (await stage.client().sandbox.info()).networks[0]?.escrow_wallet ?? ''
  const before = await timesPaid(stage.chain(), escrow)
  await atDesk(stage, (desk) => desk.pausePayouts('a hundred are to wait'))
  const at = (nr: number) => buyer.with({ node: nr % 2 }).tasks
  await fifty((nr) => at(nr).cancel(cancelled[nr] ?? ''))
  await fifty((nr) => at(nr).accept(accepted[nr] ?? ''))
  await stage.travel(90 * MINUTE)
  expect(await timesPaid(stage.chain(), escrow)).toBe(before)
  const waiting = await atDesk(stage, (desk) => desk.payouts())
  expect(waiting).toMatchObject({ paused: true, queued: { count: 2 * HALF, atomic: 100_000_000n } })

  await atDesk(stage, (desk) => desk.resumePayouts())
  await until(
    async () => (await atDesk(stage, (desk) => desk.payouts())).queued.count,
    (count) => count === 0,
    PATIENCE_MS,
  )
  await until(
    async () => {
      await stage.travel(90 * MINUTE)
      return usdcOf(stage.chain(), escrow)
    },
    (held) => held === 0n,
  )
  expect(await timesPaid(stage.chain(), escrow)).toBe(before + 2 * HALF)
  expect(await usdcOf(stage.chain(), buyer.wallet.address)).toBe(50_000_000n)
  expect(await usdcOf(stage.chain(), worker.wallet.address)).toBe(50_000_000n)
}, 600_000)
