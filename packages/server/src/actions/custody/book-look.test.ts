import { expect, test } from 'vitest'
import { NOW } from '../../../tests/support/samples.ts'
import { silentLog, storeBench } from '../../../tests/support/store.ts'
import type { World } from '../../ports/world.ts'
import { bookLook } from './book-look.ts'
import type { SeenWallet } from './seen-wallet.ts'

const network = 'eip155:8453'
const wallet = '0x00000000000000000000000000000000000e5c40'
const hash = `0x${'1'.repeat(64)}` as const
const bench = storeBench()

/** A look that found nothing new up to this block. */
const seen = (block: bigint): SeenWallet => ({
  kind: 'look',
  head: block,
  headHash: hash,
  final: block,
  movements: [],
  unexplained: 0n,
  transactions: 0n,
  since: { number: 1n, hash, balance: 0n },
  upTo: { number: block, hash, balance: 0n },
  carriedOut: new Map(),
})

test('only whoever looked last moves the cursor, so that a slow look does not set it back', async () => {
  const world = { store: bench.store, clock: { now: () => NOW }, log: silentLog } as unknown as World
  const lease = async (now: number) => {
    const watch = await bench.store.transaction((tx) => tx.leaseWatch(network, now, now + 1_000))
    if (!watch) throw new Error('Somebody else looks.')
    return watch
  }
  await bench.store.transaction((tx) => tx.openWatch({ network, wallet, asset: wallet, lookAt: NOW }))
  const [slow, quick] = [await lease(NOW), await lease(NOW + 1_000)]
  const proven = async () => (await bench.store.watch(network))?.proven?.number
  await bookLook(world, quick, seen(20n))
  expect(await proven()).toBe(20n)
  await bookLook(world, slow, seen(10n))
  expect(await proven()).toBe(20n)
})
