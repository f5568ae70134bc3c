import { MINUTE, SECOND } from '@guildhall/protocol'
import { expect, test } from 'vitest'
import { movedWorld } from '../../../tests/support/moved-world.ts'
import { NOW } from '../../../tests/support/samples.ts'
import { storeBench } from '../../../tests/support/store.ts'
import { until } from '../../../tests/support/until.ts'
import type { Hex } from '../../domain/transfer/transfer.ts'
import type { Unreachable } from '../../ports/unreachable.ts'
import type { World } from '../../ports/world.ts'
import { lookAtWallet } from './look-at-wallet.ts'
import { isLooking } from './watch-wallets.ts'

const network = 'eip155:8453'
const wallet = '0x00000000000000000000000000000000000e5c40'
const nothing = { kind: 'look', movements: [], unexplained: 0n, transactions: 0n } as const
const bench = storeBench()

/** A look at a wallet whose chain answers when the test says so. */
function slowLook() {
  let answer = (_: Unreachable) => {}
  const answered = new Promise<Unreachable>((resolve) => {
    answer = resolve
  })
  const { world: still, move, alarms } = movedWorld(bench.store)
  const world = { ...still, chain: { blockOfWallet: () => answered } } as unknown as World
  const looking = lookAtWallet(world, network, wallet)
  const end = () => {
    answer({ kind: 'unreachable', cause: 'slow' })
    return looking
  }
  return { world, move, alarms, end }
}

const lookAt = async () => (await bench.store.watch(network))?.lookAt

test('a look that takes long keeps its lease, and one whose node has died is made up for after 75 seconds', async () => {
  await bench.store.transaction((tx) => tx.openWatch({ network, wallet, asset: wallet, lookAt: NOW }))
  const { world, move, alarms, end } = slowLook()
  const lease = MINUTE + 15 * SECOND
  await until(lookAt, (at) => at === NOW + lease)
  for (let seconds = 5; seconds <= 120; seconds += 5) {
    await until(
      async () => alarms.size,
      (size) => size === 1,
    )
    move(5 * SECOND)
    await until(lookAt, (at) => at === NOW + seconds * SECOND + lease)
    expect(await isLooking(world)).toBe(true)
  }
  await end()
  expect([alarms.size, await isLooking(world)]).toEqual([0, false])
})

test('movements of one fork are not booked up to a block of another', async () => {
  await bench.sql.query('delete from wallet_watches')
  await bench.store.transaction((tx) => tx.openWatch({ network, wallet, asset: wallet, lookAt: NOW }))
  const [ours, others] = [`0x${'a'.repeat(64)}`, `0x${'b'.repeat(64)}`] as const
  const { world: still, move } = movedWorld(bench.store)
  const chainAfter = (hash: Hex) => ({
    blockOfWallet: async (_network: string, _wallet: Hex, number = 1n) => ({
      kind: 'block',
      number,
      hash,
      balance: 0n,
    }),
    lookAtWallet: async () => ({ ...nothing, head: 9n, headHash: ours, final: 7n }),
    blockHash: async () => ({ kind: 'hash', hash }),
  })
  const proven = async (hash: Hex) => {
    await lookAtWallet({ ...still, chain: chainAfter(hash) } as unknown as World, network, wallet)
    move(5 * MINUTE)
    return (await bench.store.watch(network))?.proven
  }
  expect(await proven(others)).toBeNull()
  expect(await proven(ours)).toEqual({ number: 7n, hash: ours, balance: 0n })
})

test('a movement that is forgotten between reading and booking is left to the next look', async () => {
  await bench.sql.query('delete from wallet_watches')
  await bench.store.transaction((tx) => tx.openWatch({ network, wallet, asset: wallet, lookAt: NOW }))
  const { world: still, move } = movedWorld(bench.store)
  const [txHash, hash] = [`0x${'1'.repeat(64)}`, `0x${'a'.repeat(64)}`] as const
  const movement = { txHash, logIndex: 0, blockNumber: 5n, incoming: true, counterparty: wallet, amount: 1_000_000n }
  await bench.sql.query(
    `insert into wallet_movements (network, tx_hash, log_index, block_number, incoming, counterparty, amount, booked, proven, seen_at)
     values ($1, $2, 0, 5, true, $3, 1000000, true, false, now())`,
    [network, txHash, wallet],
  )
  const chain = {
    blockOfWallet: async (_network: string, _wallet: Hex, number = 1n) => ({
      kind: 'block',
      number,
      hash,
      balance: number < 5n ? 0n : movement.amount,
    }),
    lookAtWallet: async () => ({ ...nothing, movements: [movement], head: 9n, headHash: hash, final: 7n }),
    carriedOut: async () => ({ kind: 'plain' }),
    async blockHash() {
      await bench.sql.query('delete from wallet_movements')
      return { kind: 'hash', hash }
    },
  }
  const look = async () => {
    await lookAtWallet({ ...still, chain } as unknown as World, network, wallet)
    move(5 * MINUTE)
    const { missed, proven } = (await bench.store.watch(network)) ?? {}
    return { missed, upTo: proven?.number }
  }
  expect(await look()).toEqual({ missed: 1, upTo: undefined })
  expect(await look()).toEqual({ missed: 0, upTo: 7n })
})
