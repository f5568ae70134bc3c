import type { Watch } from '../../domain/custody/watch.ts'
import type { World } from '../../ports/world.ts'
import { noteMissedLook } from './note-missed-look.ts'

const BLOCKS_BACK = 1_000n

/**
 * A block that was to stay is gone. What was proven since some time before it has to prove itself again: whatever does not
 * shows as missing with the next look. The balance back then follows from our own records; few nodes remember it.
 */
export async function rewindWatch(world: World, leased: Watch): Promise<void> {
  const { network, proven: gone, firstBlock } = leased
  // A watch that has not begun begins again with its next look.
  if (gone === null || firstBlock === null) return noteMissedLook(world, leased, 'the first block is gone')
  const back = gone.number - BLOCKS_BACK
  const number = back > firstBlock ? back : firstBlock
  const block = await world.chain.blockHash(network, number)
  if (block.kind === 'unreachable') return noteMissedLook(world, leased, block.cause)
  await world.store.transaction(async (tx) => {
    const watch = await tx.lockWatch(network)
    if (watch?.fence !== leased.fence) return
    const balance = gone.balance - (await tx.unproveMovements(network, number))
    await tx.saveWatch({ ...watch, proven: { number, hash: block.hash, balance }, lookAt: world.clock.now() })
  })
  world.log.alarm('the chain took blocks back that were to stay', { network, block: String(gone.number) })
}
