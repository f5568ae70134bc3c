import { MINUTE, SECOND } from '@guildhall/protocol'
import { expect, test } from 'vitest'
import { movedWorld } from '../../../tests/support/moved-world.ts'
import { NOW } from '../../../tests/support/samples.ts'
import { storeBench } from '../../../tests/support/store.ts'
import { until } from '../../../tests/support/until.ts'
import type { Unreachable } from '../../ports/unreachable.ts'
import type { World } from '../../ports/world.ts'
import { lookAtWallet } from './look-at-wallet.ts'
import { isLooking } from './watch-wallets.ts'

const network = 'eip155:8453'
const wallet = '0x00000000000000000000000000000000000e5c40'
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
