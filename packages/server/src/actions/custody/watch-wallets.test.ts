import { expect, test } from 'vitest'
import { NOW } from '../../../tests/support/samples.ts'
import { silentLog, storeBench } from '../../../tests/support/store.ts'
import type { World } from '../../ports/world.ts'
import { watchWallets } from './watch-wallets.ts'

const network = 'eip155:8453'
const wallet = '0x00000000000000000000000000000000000e5c40'
const another = '0x00000000000000000000000000000000000e5c41'
const bench = storeBench()

test('a node with the key of another escrow wallet does not keep the others from their look', async () => {
  await bench.store.transaction((tx) => tx.openWatch({ network, wallet, asset: wallet, lookAt: NOW }))
  const world = {
    store: bench.store,
    clock: { now: () => NOW },
    log: silentLog,
    rules: { networks: [{ network }] },
    escrow: { address: another },
  } as unknown as World
  expect(await watchWallets(world)).toBe(0)
  expect(await bench.store.watch(network)).toMatchObject({ wallet, lookAt: NOW })
})
