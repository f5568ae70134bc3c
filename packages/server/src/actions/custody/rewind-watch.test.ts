import { expect, test } from 'vitest'
import { NOW } from '../../../tests/support/samples.ts'
import { silentLog, storeBench } from '../../../tests/support/store.ts'
import type { World } from '../../ports/world.ts'
import { rewindWatch } from './rewind-watch.ts'

const network = 'eip155:8453'
const wallet = '0x00000000000000000000000000000000000e5c40'
const hash = `0x${'1'.repeat(64)}` as const
const bench = storeBench()

test('only whoever looked last takes back what was proven, and raises the alarm', async () => {
  const raised: string[] = []
  const world = {
    store: bench.store,
    clock: { now: () => NOW },
    chain: { blockHash: async () => ({ kind: 'hash', hash }) },
    log: { ...silentLog, alarm: (message: string) => void raised.push(message) },
  } as unknown as World
  const lease = async (now: number) => {
    const watch = await bench.store.transaction((tx) => tx.leaseWatch(network, now, now + 1_000))
    if (!watch) throw new Error('Somebody else looks.')
    return { ...watch, firstBlock: 1n, proven: { number: 19_000n, hash, balance: 5n } }
  }
  await bench.store.transaction((tx) => tx.openWatch({ network, wallet, asset: wallet, lookAt: NOW }))
  const [first, second] = [await lease(NOW), await lease(NOW + 1_000)]
  await bench.store.transaction((tx) => tx.saveWatch(second))

  await rewindWatch(world, first, 'blocks are gone')
  expect((await bench.store.watch(network))?.proven?.number).toBe(19_000n)
  expect(raised).toEqual([])
  await rewindWatch(world, second, 'blocks are gone')
  expect((await bench.store.watch(network))?.proven?.number).toBe(10_000n)
  expect(raised).toEqual(['blocks are gone'])
})
