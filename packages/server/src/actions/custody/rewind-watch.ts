import { netOf } from '../../domain/custody/movement.ts'
import type { Watch } from '../../domain/custody/watch.ts'
import type { Unreachable } from '../../ports/unreachable.ts'
import type { ProvenBlock } from '../../ports/wallet-chain.ts'
import type { World } from '../../ports/world.ts'
import { noteMissedLook } from './note-missed-look.ts'

/** As many as a node is asked for in one call. */
const BLOCKS_BACK = 9_000n

/** A block BLOCKS_BACK before the proven one, but not before the watch began; null when it has not begun. */
async function blockBack(
  chain: World['chain'],
  { network, proven, firstBlock }: Watch,
): Promise<Pick<ProvenBlock, 'number' | 'hash'> | Unreachable | null> {
  if (proven === null || firstBlock === null) return null
  const back = proven.number - BLOCKS_BACK
  const number = back > firstBlock ? back : firstBlock
  const block = await chain.blockHash(network, number)
  return block.kind === 'unreachable' ? block : { number, hash: block.hash }
}

/**
 * Whether the logs explain the balance from further back, but with other movements up to the proven block than those on record:
 * then the node omitted logs when that block was proven, and no longer had the balance there, or what it omitted cancelled out.
 */
export async function wasMisled({ store, chain }: World, watch: Watch): Promise<boolean> {
  const { network, wallet, proven } = watch
  const back = await blockBack(chain, watch)
  if (proven === null || back === null || 'cause' in back || back.number === proven.number) return false
  const onRecord = await store.provenAfter(network, back.number)
  const look = await chain.lookAtWallet(network, wallet, { ...back, balance: proven.balance - onRecord })
  if (look.kind !== 'look' || look.unexplained !== 0n) return false
  const passed = look.movements.filter(({ blockNumber }) => blockNumber <= proven.number)
  return netOf(passed) !== onRecord || (await store.unprovenMovements(network, passed)).length > 0
}

/**
 * The proven block does not hold. Everything since a block further back has to be proven again; what is not shows as missing at
 * the next look. The balance at that block is computed from our own records, because few nodes still have it.
 */
export async function rewindWatch(world: World, leased: Watch, alarm: string): Promise<void> {
  const { network, proven: gone } = leased
  const back = await blockBack(world.chain, leased)
  // A watch that has not begun begins again with its next look.
  if (gone === null || back === null) return noteMissedLook(world, leased, 'the first block is gone')
  if ('cause' in back) return noteMissedLook(world, leased, back.cause)
  await world.store.transaction(async (tx) => {
    const watch = await tx.lockWatch(network)
    // If another look has begun since, that one raises the alarm.
    if (watch?.fence !== leased.fence) return
    const balance = gone.balance - (await tx.unproveMovements(network, back.number))
    await tx.saveWatch({ ...watch, proven: { ...back, balance }, lookAt: world.clock.now() })
    // Before the commit: an alarm after it would be lost with the answer to it.
    world.log.alarm(alarm, { network, block: String(gone.number) })
  })
}
