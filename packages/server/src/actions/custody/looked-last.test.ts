import { beforeEach, expect, test } from 'vitest'
import { NOW } from '../../../tests/support/samples.ts'
import { silentLog, storeBench } from '../../../tests/support/store.ts'
import type { Watch } from '../../domain/custody/watch.ts'
import type { World } from '../../ports/world.ts'
import { bookLook } from './book-look.ts'
import { noteMissedLook } from './note-missed-look.ts'

const network = 'eip155:8453'
const wallet = '0x00000000000000000000000000000000000e5c40'
const block = { number: 9n, hash: `0x${'1'.repeat(64)}`, balance: 0n } as const
const nothing = { kind: 'look', head: 9n, headHash: block.hash, final: 9n, movements: [] } as const
const bench = storeBench()
let raised: string[] = []
const worldOf = () =>
  ({
    store: bench.store,
    clock: { now: () => NOW },
    rules: { networks: [{ network }] },
    random: { bytes: (count: number) => new Uint8Array(count) },
    log: { ...silentLog, alarm: (message: string) => void raised.push(message) },
  }) as unknown as World

async function lease(now: number): Promise<Watch> {
  const watch = await bench.store.transaction((tx) => tx.leaseWatch(network, now, now + 1_000))
  if (!watch) throw new Error('Somebody else looks.')
  return watch
}

/** A look that took longer than its lease, and the one that has begun since. */
const twoLooks = async () => ({ late: await lease(NOW), last: await lease(NOW + 1_000) })

beforeEach(async () => {
  raised = []
  await bench.sql.query('delete from wallet_watches')
  await bench.store.transaction((tx) => tx.openWatch({ network, wallet, asset: wallet, lookAt: NOW }))
})

test('only whoever looked last tells that the wallet could not be looked at for a while', async () => {
  const { late, last } = await twoLooks()
  await noteMissedLook(worldOf(), { ...late, missed: 9 }, 'away')
  expect(raised).toEqual([])
  await noteMissedLook(worldOf(), { ...last, missed: 9 }, 'away')
  expect(raised).toEqual(['the escrow wallet could not be looked at for a while'])
})

test('only whoever looked last tells that the wallet has sent a transaction by itself', async () => {
  const { late, last } = await twoLooks()
  const look = { ...nothing, unexplained: 0n, transactions: 1n }
  const seen = { ...look, since: block, upTo: block, carriedOut: new Map() }
  await bookLook(worldOf(), late, seen)
  expect(raised).toEqual([])
  await bookLook(worldOf(), last, seen)
  expect(raised).toEqual(['the escrow wallet has sent a transaction by itself'])
})

test('an alarm is raised though the answer to the commit is lost: the next look finds it on record', async () => {
  const { last } = await twoLooks()
  const world = worldOf()
  const lost: World['store']['transaction'] = async (work) => {
    await bench.store.transaction(work)
    throw new Error('The connection was lost.')
  }
  const missing = { ...nothing, unexplained: -5n, transactions: 0n }
  const seen = { ...missing, since: block, upTo: block, carriedOut: new Map() }
  await expect(bookLook({ ...world, store: { ...bench.store, transaction: lost } }, last, seen)).rejects.toThrow('lost')
  expect(raised).toEqual(['money is missing from the escrow wallet'])
})
