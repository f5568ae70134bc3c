import { MINUTE } from '@guildhall/protocol'
import { beforeAll, expect, test } from 'vitest'
import { watchWallets } from '../src/actions/custody/watch-wallets.ts'
import { newBuyer, type Player } from './support/cast.ts'
import { mine, rpc } from './support/chain-calls.ts'
import { BASE, setStage } from './support/stage.ts'
import { aBounty, aTask } from './support/tasks.ts'
import { until } from './support/until.ts'

/** Nothing happens by itself here: the stories say when somebody looks and when a payment is followed up. */
const stage = setStage({
  depths: { confirmations: 2, finality: 30 },
  settings: { GUILDHALL_ROLE: 'api' },
  alarms: ['the chain took a settled transfer back'],
})
let buyer: Player

beforeAll(async () => {
  buyer = await newBuyer(stage)
  await watchWallets(stage.node().service.world)
  // It settles and says that it did not: so nobody waits for what the chain shows next.
  await stage.client().sandbox.setFaults({ facilitator: 'lies_failed' })
})

/** What the books say of Base after a look. */
async function look() {
  const { world } = stage.node().service
  await stage.moveClocks(MINUTE)
  expect(await watchWallets(world)).toBeGreaterThan(0)
  const { networks, payouts } = await stage.client().service.reserves()
  const base = networks.find(({ network }) => network === BASE)
  return { payouts, difference: base?.difference_atomic, owed: base?.liabilities_atomic, held: base?.balance_atomic }
}

const EVEN = { payouts: 'running', difference: '0' }
const statusOf = async (taskId: string) => (await buyer.client.tasks.get(taskId)).task.escrow?.status

test('money on chain that is not in the books yet is explained to the unit, in and out', async () => {
  const { task_id } = await buyer.client.tasks.post({ ...aTask, bounty: aBounty() })
  expect(await statusOf(task_id)).toBe('funding')
  expect(await look()).toMatchObject({ ...EVEN, owed: '0', held: '5000000' })
  await mine(stage.chain(), 40)
  expect(await look()).toMatchObject({ ...EVEN, owed: '0', held: '5000000' })
  await stage.runDue()
  expect(await statusOf(task_id)).toBe('funded')
  expect(await look()).toMatchObject({ ...EVEN, owed: '5000000', held: '5000000' })

  await buyer.client.tasks.cancel(task_id)
  expect(await look()).toMatchObject({ ...EVEN, owed: '5000000', held: '0' })
  await mine(stage.chain(), 40)
  expect(await look()).toMatchObject({ ...EVEN, owed: '5000000', held: '0' })
  await stage.travel(MINUTE)
  expect(await statusOf(task_id)).toBe('refunded')
  expect(await look()).toMatchObject({ ...EVEN, owed: '0', held: '0' })
})

test('a deposit that the chain takes back does not make other money look missing', async () => {
  const { task_id } = await buyer.client.tasks.post({ ...aTask, bounty: aBounty() })
  await mine(stage.chain(), 1)
  await stage.travel(MINUTE)
  expect(await statusOf(task_id)).toBe('funded')
  expect(await look()).toMatchObject({ ...EVEN, owed: '5000000', held: '5000000' })
  const { number } = await rpc<{ number: string }>(stage.chain(), 'eth_getBlockByNumber', 'latest', false)
  const deposit = await buyer.client.tasks.payment(task_id)
  const receipt = await rpc<{ blockNumber: string }>(
    stage.chain(),
    'eth_getTransactionReceipt',
    deposit.payment.escrow?.deposit_tx_hash,
  )
  await rpc(stage.chain(), 'anvil_reorg', Number(number) - Number(receipt.blockNumber) + 1, [])
  expect(await look()).toMatchObject({ ...EVEN, owed: '5000000', held: '0' })
  await mine(stage.chain(), 40)
  expect(await look()).toMatchObject({ ...EVEN, held: '0' })
  await stage.travel(MINUTE)
  expect(await statusOf(task_id)).toBe('funding')
  const later = async () => {
    await mine(stage.chain(), 5)
    await stage.travel(MINUTE)
    return statusOf(task_id)
  }
  await until(later, (status) => status === 'funded')
  expect(await look()).toMatchObject({ ...EVEN, owed: '5000000', held: '5000000' })
})
