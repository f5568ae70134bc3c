import { MINUTE } from '@guildhall/protocol'
import { expect, test } from 'vitest'
import { watchWallets } from '../src/actions/custody/watch-wallets.ts'
import { settleTransfer } from '../src/actions/money/settle-transfer.ts'
import type { WalletChain } from '../src/ports/wallet-chain.ts'
import { newBuyer } from './support/cast.ts'
import { mine } from './support/chain-calls.ts'
import { BASE, setStage } from './support/stage.ts'
import { postEscrowed } from './support/tasks.ts'

const MISLED = 'a node of the chain had left movements of the escrow wallet out'

const EVEN = { payouts: 'running', difference: '0' }

/** Nothing happens by itself here: the stories say when somebody looks. */
const stage = setStage({
  depths: { confirmations: 1, finality: 30 },
  settings: { GUILDHALL_ROLE: 'api' },
  alarms: [MISLED],
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
  // The refund alone: if the second deposit were looked at too, it would count as mature, and be missing.
  await settleTransfer(world, (await world.store.task(first))?.escrow?.exitId ?? '')
  expect((await buyer.client.tasks.get(first)).task.escrow?.status).toBe('refunded')
  await look({ misled: true })
  expect((await world.store.watch(BASE))?.proven?.balance).toBe(5_000_000n)

  await look()
  expect(stage.alarms.filter((alarm) => alarm.startsWith(MISLED))).toHaveLength(1)
  expect(await look()).toEqual(EVEN)
  expect((await world.store.watch(BASE))?.proven?.balance).toBe(10_000_000n)
  await mine(stage.chain(), 40)
  expect(await look()).toEqual(EVEN)
  expect(stage.alarms).toHaveLength(1)
})
