import { MINUTE } from '@guildhall/protocol'
import { expect, test } from 'vitest'
import { watchWallets } from '../src/actions/custody/watch-wallets.ts'
import { settleTransfer } from '../src/actions/money/settle-transfer.ts'
import type { WalletChain } from '../src/ports/wallet-chain.ts'
import { give, newBuyer } from './support/cast.ts'
import { mine, STRANGER, sendPlainly } from './support/chain-calls.ts'
import { atDesk } from './support/desk.ts'
import { BASE, setStage } from './support/stage.ts'
import { postEscrowed } from './support/tasks.ts'

const MISLED = 'a node of the chain had left movements of the escrow wallet out'

const MORE = 'there is more in the escrow wallet than in the books'

const EVEN = { payouts: 'running', difference: '0' }

/** Nothing happens by itself here: the stories say when somebody looks. */
const stage = setStage({
  depths: { confirmations: 1, finality: 30 },
  settings: { GUILDHALL_ROLE: 'api' },
  alarms: [MISLED, MORE],
})

/** Shows none of the movements, as if they came to nothing, and does not remember what the wallet held. */
const misleading = (chain: WalletChain): WalletChain => ({
  ...chain,
  async lookAtWallet(network, wallet, since) {
    const look = await chain.lookAtWallet(network, wallet, since)
    return look.kind === 'look' && network === BASE ? { ...look, movements: [] } : look
  },
  blockOfWallet: async () => ({ kind: 'unreachable', cause: 'missing trie node' }),
})

async function look({ misled = false } = {}) {
  const { world } = stage.node().service
  await stage.moveClocks(MINUTE)
  await watchWallets(misled ? { ...world, chain: { ...world.chain, ...misleading(world.chain) } } : world)
  const { networks, payouts } = await stage.client().service.reserves()
  return { payouts, difference: networks.find(({ network }) => network === BASE)?.difference_atomic }
}

const raised = (text: string) => stage.alarms.filter((alarm) => alarm.startsWith(text)).length

/** The refund alone: if a later deposit were looked at too, it would count as mature, and be missing. */
async function settleRefund(taskId: string): Promise<void> {
  const { world } = stage.node().service
  await settleTransfer(world, (await world.store.task(taskId))?.escrow?.exitId ?? '')
}

test('what was proven by a node that left out what cancels out is proven anew once the logs tell otherwise', async () => {
  const buyer = await newBuyer(stage)
  const first = await postEscrowed(buyer)
  await mine(stage.chain(), 40)
  await stage.travel(MINUTE)
  expect(await look()).toEqual(EVEN)

  // The second deposit becomes final, the refund of the first does not: without both the balance of now is explained, but not that of then.
  await postEscrowed(buyer)
  await mine(stage.chain(), 40)
  await buyer.client.tasks.cancel(first)
  const { world } = stage.node().service
  await settleRefund(first)
  expect((await buyer.client.tasks.get(first)).task.escrow?.status).toBe('refunded')
  await look({ misled: true })
  expect((await world.store.watch(BASE))?.proven?.balance).toBe(5_000_000n)

  await look()
  expect(raised(MISLED)).toBe(1)
  expect(await look()).toEqual(EVEN)
  expect((await world.store.watch(BASE))?.proven?.balance).toBe(10_000_000n)
  await mine(stage.chain(), 40)
  expect(await look()).toEqual(EVEN)
  expect(stage.alarms).toHaveLength(1)
})

test('money that came unasked, and was left out together with a payout of the same amount, is found and owed to its sender', async () => {
  const buyer = await newBuyer(stage)
  const { world } = stage.node().service
  const taskId = await postEscrowed(buyer)
  await mine(stage.chain(), 40)
  await stage.travel(MINUTE)
  expect(await look()).toEqual(EVEN)

  await buyer.client.tasks.cancel(taskId)
  await settleRefund(taskId)
  await give(stage, STRANGER, '5')
  const sent = await sendPlainly(stage.chain(), world.escrow?.address ?? '0x', 5_000_000n)
  await mine(stage.chain(), 40)
  await settleRefund(taskId)
  const before = raised(MISLED)
  expect(await look({ misled: true })).toEqual({ ...EVEN, difference: '5000000' })
  expect(raised(MORE)).toBe(1)
  const strays = () => atDesk(stage, (desk) => desk.strays({ returned: false, limit: 10 }))
  expect(await strays()).toEqual([])

  await look()
  expect(raised(MISLED)).toBe(before + 1)
  expect(await look()).toEqual(EVEN)
  expect(await strays()).toMatchObject([{ txHash: sent, counterparty: STRANGER, amount: 5_000_000n }])
  await mine(stage.chain(), 40)
  expect(await look()).toEqual(EVEN)
  expect([raised(MISLED), raised(MORE)]).toEqual([before + 1, 1])
})
