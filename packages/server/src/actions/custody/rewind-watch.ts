import type { Watch } from '../../domain/custody/watch.ts'
import type { Unreachable } from '../../ports/chain.ts'
import type { ProvenBlock } from '../../ports/wallet-chain.ts'
import type { World } from '../../ports/world.ts'
import { noteMissedLook } from './note-missed-look.ts'

const BLOCKS_BACK = 1_000n

/** A block some way before the proven one, but not before the watch began; null where the watch has not begun. */
async function blockBack(
  { chain }: World,
  { network, proven, firstBlock }: Watch,
): Promise<Pick<ProvenBlock, 'number' | 'hash'> | Unreachable | null> {
  if (proven === null || firstBlock === null) return null
  const back = proven.number - BLOCKS_BACK
  const number = back > firstBlock ? back : firstBlock
  const block = await chain.blockHash(network, number)
  return block.kind === 'unreachable' ? block : { number, hash: block.hash }
}

/**
 * Whether the logs explain the wallet from further back, where they do not from the proven block: then a node left out what
 * it had to show when that block was proven, and did not remember the balance there either.
 */
export async function wasMisled(world: World, watch: Watch): Promise<boolean> {
  const { network, wallet, proven } = watch
  const back = await blockBack(world, watch)
  if (proven === null || back === null || 'cause' in back || back.number === proven.number) return false
  const balance = proven.balance - (await world.store.provenAfter(network, back.number))
  const look = await world.chain.lookAtWallet(network, wallet, { ...back, balance })
  return look.kind === 'look' && look.unexplained === 0n
}

/**
 * What was proven does not stand. All of it since some time before has to prove itself again: whatever does not shows as
 * missing with the next look. The balance back then follows from our own records; few nodes remember it.
 */
export async function rewindWatch(world: World, leased: Watch, alarm: string): Promise<void> {
  const { network, proven: gone } = leased
  const back = await blockBack(world, leased)
  // A watch that has not begun begins again with its next look.
  if (gone === null || back === null) return noteMissedLook(world, leased, 'the first block is gone')
  if ('cause' in back) return noteMissedLook(world, leased, back.cause)
  const isRewound = await world.store.transaction(async (tx) => {
    const watch = await tx.lockWatch(network)
    if (watch?.fence !== leased.fence) return false
    const balance = gone.balance - (await tx.unproveMovements(network, back.number))
    return tx.saveWatch({ ...watch, proven: { ...back, balance }, lookAt: world.clock.now() })
  })
  // Whoever has looked since says what there is to say.
  if (isRewound) world.log.alarm(alarm, { network, block: String(gone.number) })
}
