import { MINUTE } from '@guildhall/protocol'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { newBuyer, newWorker } from '../support/cast.ts'
import { mine, rpc, timesPaid, usdcOf } from '../support/chain-calls.ts'
import { askPrice, pay, signPayment } from '../support/payments.ts'
import { setStage } from '../support/stage.ts'
import { aBounty, aTask, claimAndDeliver, postEscrowed } from '../support/tasks.ts'
import { until } from '../support/until.ts'

/** A deposit counts in its first block and is final in its third; the chain has a clock of its own here. */
const stage = setStage({
  depths: { confirmations: 1, finality: 3 },
  settings: { GUILDHALL_ROLE: 'api', GUILDHALL_SETTLE_IN_REQUEST_MS: '300' },
})
const task = async (id: string) => (await stage.client().tasks.get(id)).task

beforeAll(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.now() }))
afterAll(() => void vi.useRealTimers())
afterEach(() => rpc(stage.chain(), 'evm_setAutomine', true))

/** Time passes for the service and not for the chain. */
async function serviceGoesOn(ms: number): Promise<void> {
  vi.setSystemTime(Date.now() + ms)
  await stage.runDue()
}

const spoil = (facilitator: 'ok' | 'down') => stage.client().sandbox.setFaults({ facilitator })

test('while a chain stands still no payment is given up, though its time is over by every other clock; it lands late and counts', async () => {
  const buyer = await newBuyer(stage)
  const asked = await askPrice(stage, buyer, '/v1/tasks', { ...aTask, bounty: aBounty() })
  const validBefore = Math.floor(stage.now() / 1000) + 10 * 60
  const authorization = { validBefore: BigInt(validBefore) }
  const payment = await signPayment(stage, asked.terms, buyer.wallet, { authorization })
  await rpc(stage.chain(), 'evm_setAutomine', false)
  const answer = await pay(stage, asked, payment)
  const id = String(answer.body.task_id)
  await until(
    () => rpc<{ pending: string }>(stage.chain(), 'txpool_status'),
    ({ pending }) => Number(pending) > 0,
  )
  // A facilitator waits long for a block that does not come; what it was told to send is with the chain.
  await spoil('down')
  for (let look = 0; look < 3; look++) await serviceGoesOn(11 * MINUTE)
  expect(Math.floor(stage.now() / 1000)).toBeGreaterThan(validBefore)
  expect(await task(id)).toMatchObject({ claimable: false, escrow: { status: 'funding' } })
  // The sequencer catches up with a block whose time is that of the halt.
  await rpc(stage.chain(), 'evm_setNextBlockTimestamp', validBefore - 60)
  await rpc(stage.chain(), 'evm_mine')
  await serviceGoesOn(2 * MINUTE)
  expect(await task(id)).toMatchObject({ escrow: { status: 'funded' } })
  expect(await timesPaid(stage.chain(), buyer.wallet.address)).toBe(1)
  await spoil('ok')
})

test('while no block makes a deposit final its payout waits, however long, and leaves once when one does', async () => {
  const [buyer, worker] = [await newBuyer(stage), await newWorker(stage)]
  const id = await postEscrowed(buyer)
  await claimAndDeliver(worker, id)
  await rpc(stage.chain(), 'evm_setAutomine', false)
  await buyer.client.tasks.accept(id)
  for (let look = 0; look < 3; look++) await serviceGoesOn(15 * MINUTE)
  expect(await task(id)).toMatchObject({ status: 'verified', escrow: { status: 'releasing' } })
  expect(await usdcOf(stage.chain(), worker.wallet.address)).toBe(0n)
  expect((await stage.client().service.reserves()).networks.length).toBeGreaterThan(0)
  await rpc(stage.chain(), 'evm_setAutomine', true)
  await mine(stage.chain(), 3)
  // First the deposit is found to be final, then its payout may leave.
  for (let look = 0; look < 2; look++) await serviceGoesOn(2 * MINUTE)
  expect(await task(id)).toMatchObject({ escrow: { status: 'released' } })
  expect(await usdcOf(stage.chain(), worker.wallet.address)).toBe(5_000_000n)
})

test.each([2 * MINUTE, -4 * MINUTE])(
  'a chain whose clock goes %i ms apart from ours takes and pays as any other',
  async (apart) => {
    vi.setSystemTime(Date.now() + apart)
    const [buyer, worker] = [await newBuyer(stage), await newWorker(stage)]
    const id = await postEscrowed(buyer)
    await mine(stage.chain(), 3)
    await serviceGoesOn(MINUTE)
    await claimAndDeliver(worker, id)
    await buyer.client.tasks.accept(id)
    await serviceGoesOn(MINUTE)
    expect(await task(id)).toMatchObject({ escrow: { status: 'released' } })
    expect(await usdcOf(stage.chain(), worker.wallet.address)).toBe(5_000_000n)
  },
)
