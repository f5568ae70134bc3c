import { MINUTE } from '@guildhall/protocol'
import { afterEach, expect, test } from 'vitest'
import { settleTransfer } from '../../src/actions/money/settle-transfer.ts'
import { newBuyer, type Player } from '../support/cast.ts'
import { mine, rpc, usdcOf } from '../support/chain-calls.ts'
import { type Call, seenThrough } from '../support/meddling-node.ts'
import { setStage } from '../support/stage.ts'
import { aBounty, aTask } from '../support/tasks.ts'
import { until } from '../support/until.ts'

const TAKEN_BACK = 'the chain took a settled transfer back'

/** A deposit counts in its second block and is final in its thirtieth. */
const DEPTHS = { confirmations: 2, finality: 30 }

/** Nothing happens by itself here; each time the clocks are moved a block is mined. */
const stage = setStage({
  depths: DEPTHS,
  settings: { GUILDHALL_ROLE: 'api', GUILDHALL_SETTLE_IN_REQUEST_MS: '400' },
  alarms: [TAKEN_BACK],
})
const task = async (id: string) => (await stage.client().tasks.get(id)).task
const alarms = () => stage.alarms.filter((alarm) => alarm.startsWith(TAKEN_BACK)).length
afterEach(() => stage.client().sandbox.setFaults({ facilitator: 'ok' }))

async function funded({ client }: Player): Promise<string> {
  const { task_id } = await client.tasks.post({ ...aTask, bounty: aBounty() })
  // On a slow machine the attempt that began with the request still has the deposit when the clocks are first moved.
  await until(
    () => goOn().then(() => task(task_id)),
    ({ claimable, escrow }) => claimable && escrow?.status === 'funded',
  )
  return task_id
}

async function fundedTask() {
  const buyer = await newBuyer(stage)
  const id = await funded(buyer)
  const told = async () => (await buyer.client.events.list({ type: 'task.escrow_funded' })).events.length
  const history = async () => (await buyer.client.tasks.payment(id)).events.map(({ event_type }) => event_type)
  return { buyer, id, told, history }
}

async function goOn(): Promise<void> {
  await stage.moveClocks(MINUTE)
  await stage.runDue()
}

/** One of several nodes behind one address: it has not heard of the newest blocks. */
const behind =
  (newest: number) =>
  ({ method, params, forward }: Call) => {
    if (method === 'eth_getBlockByNumber' && params[0] === 'latest') {
      const number = `0x${newest.toString(16)}`
      return rpc(stage.chain(), method, number, false).then((result) => ({ result }))
    }
    const asked = params.find((param): param is string => /^0x[0-9a-f]{1,8}$/.test(String(param)))
    if (asked !== undefined && Number(asked) > newest) return { error: { code: -32000, message: 'header not found' } }
    return forward()
  }

/** The deposit is looked at again, through such a node: its newest block comes so many before the one that made it count. */
async function lookFromBehind(id: string, blocks: number): Promise<void> {
  await stage.moveClocks(MINUTE)
  const { world } = stage.node().service
  const served = world.rules.networks.find(({ network }) => network === stage.chain().network)
  const deposit = await world.store.transfer((await world.store.task(id))?.escrow?.depositId ?? '')
  if (!served || !deposit?.blockNumber) throw new Error('There is nothing to look at.')
  const play = {
    served: { ...served, rpcUrl: '' },
    call: (method: string, ...params: readonly unknown[]) => rpc(stage.chain(), method, ...params),
  }
  const counted = Number(deposit.blockNumber) + DEPTHS.confirmations - 1
  const look = () =>
    seenThrough(play, behind(counted - blocks), (chain) => settleTransfer({ ...world, chain }, deposit.id))
  expect(await look()).toBe(true)
}

test.each([
  ['that does not show it deep enough', 1],
  ['that does not show it at all', 2],
])('a settled deposit is not taken back for a node %s', async (_, blocks) => {
  const { id, told, history } = await fundedTask()
  const before = [await history(), await told(), alarms()]
  await lookFromBehind(id, blocks)
  await lookFromBehind(id, blocks)
  expect(await task(id)).toMatchObject({ claimable: true, escrow: { status: 'funded' } })
  await goOn()
  expect([await history(), await told(), alarms()]).toEqual(before)
})

test('a chain that was reorganised to fewer blocks takes a deposit back as soon as it has grown beyond', async () => {
  const [buyer, before] = [await newBuyer(stage), alarms()]
  const snapshot = await rpc(stage.chain(), 'evm_snapshot')
  await mine(stage.chain(), 5)
  const id = await funded(buyer)
  await stage.client().sandbox.setFaults({ facilitator: 'settle_reverts' })
  await rpc(stage.chain(), 'evm_revert', snapshot)
  await goOn()
  expect(await task(id)).toMatchObject({ escrow: { status: 'funded' } })
  expect(alarms()).toBe(before)

  await mine(stage.chain(), 6)
  await goOn()
  expect(await task(id)).toMatchObject({ claimable: false, escrow: { status: 'funding', deposit_tx_hash: null } })
  expect(alarms()).toBe(before + 1)
  expect(await usdcOf(stage.chain(), buyer.wallet.address)).toBe(100_000_000n)
})
