import { type Movement, netOf } from '../../domain/custody/movement.ts'
import type { Watch } from '../../domain/custody/watch.ts'
import type { Instant } from '../../domain/instant.ts'
import type { Hex } from '../../domain/transfer/transfer.ts'
import type { Unreachable } from '../../ports/unreachable.ts'
import type { CarriedOut, ProvenBlock, WalletLook } from '../../ports/wallet-chain.ts'
import type { World } from '../../ports/world.ts'
import { keepLease, LEASE_MS } from '../money/keep-lease.ts'
import { servedNetwork } from '../money/served-network.ts'
import { bookLook, OutdatedLookError } from './book-look.ts'
import { LOOK_EVERY_MS } from './next-look.ts'
import { noteMissedLook } from './note-missed-look.ts'
import { rewindWatch, wasMisled } from './rewind-watch.ts'
import { keyOf, type SeenWallet } from './seen-wallet.ts'

/** During a look the next one is more than LOOK_EVERY_MS away: by that others know that it is running. */
const LOOK_LEASE_MS = LOOK_EVERY_MS + LEASE_MS
/** Transfers of unknown senders booked per look; the rest follows with the next one. */
const MOST_UNKNOWN = 500

/**
 * One look: reads the movements since the last one, matches them with recorded transfers, books them, and compares with the
 * journal. Nothing happens if the look is not due by then, or is running.
 */
export async function lookAtWallet(
  world: World,
  network: string,
  wallet: Hex,
  by: Instant = world.clock.now(),
): Promise<void> {
  const until = world.clock.now() + LOOK_LEASE_MS
  const watch = await world.store.transaction((tx) => tx.leaseWatch(network, by, until))
  if (watch === null || watch.wallet !== wallet) return
  const letGo = keepLease(world, (tx, at) => tx.renewWatch(watch, at + LOOK_EVERY_MS, at + LOOK_LEASE_MS))
  try {
    await look(world, watch)
  } finally {
    letGo()
  }
}

async function look(world: World, watch: Watch): Promise<void> {
  const { network, wallet } = watch
  const since = watch.proven ?? (await firstBlock(world, watch))
  if ('cause' in since) return noteMissedLook(world, watch, since.cause)
  const found = await world.chain.lookAtWallet(network, wallet, since)
  if (found.kind === 'unreachable') return noteMissedLook(world, watch, found.cause)
  if (found.kind === 'rewound') return rewindWatch(world, watch, 'the chain took blocks back that were to stay')
  const isOdd = found.unexplained !== 0n || watch.trouble !== null
  if (isOdd && (await wasMisled(world, watch)))
    return rewindWatch(world, watch, 'a node of the chain had left movements of the escrow wallet out')
  const seen = await matched(world, watch, found, since)
  if ('cause' in seen) return noteMissedLook(world, watch, seen.cause)
  await bookLook(world, watch, seen).catch((error: unknown) => {
    if (!(error instanceof OutdatedLookError)) throw error
    return noteMissedLook(world, watch, error.message)
  })
}

/** Where the watch starts: before the first transfer that could have touched the wallet, or at the newest final block. */
async function firstBlock(world: World, { network, wallet }: Watch): Promise<ProvenBlock | Unreachable> {
  const first = await world.store.firstTransferBlock(network)
  if (first === null) return world.chain.blockOfWallet(network, wallet)
  const margin = BigInt(servedNetwork(world.rules, network)?.finality ?? 1)
  return world.chain.blockOfWallet(network, wallet, first > margin ? first - margin : 0n)
}

async function matched(
  world: World,
  { network, wallet }: Watch,
  look: WalletLook,
  since: ProvenBlock,
): Promise<SeenWallet | Unreachable> {
  const unknown = await world.store.unknownMovements(network, look.movements)
  const last = lastBlock(look, since, unknown)
  const carriedOut = new Map<string, CarriedOut>()
  for (const movement of unknown) {
    // Outgoing movements are looked up at once, incoming ones only when they are final.
    if (movement.incoming && movement.blockNumber > last) continue
    const found = await world.chain.carriedOut(network, movement.txHash, movement.logIndex)
    if (found.kind === 'unreachable') return found
    carriedOut.set(keyOf(movement), found)
  }
  const balance = since.balance + netOf(look.movements.filter(({ blockNumber }) => blockNumber <= last))
  const held = await world.chain.blockOfWallet(network, wallet, last)
  if (held.kind === 'block' && look.unexplained === 0n && held.balance !== balance)
    return { kind: 'unreachable', cause: 'the node leaves movements out that cancel each other' }
  // A node that has pruned the balance at that block still knows the block.
  const block = held.kind === 'block' ? held : await world.chain.blockHash(network, last)
  if (block.kind === 'unreachable') return block
  // The movements are as of the head, and the block was read after them: it must be of the same chain.
  const head = await world.chain.blockHash(network, look.head)
  if (head.kind === 'unreachable') return head
  if (head.hash !== look.headHash) return { kind: 'unreachable', cause: 'the chain moved while it was read' }
  return { ...look, since, upTo: { number: last, hash: block.hash, balance }, carriedOut }
}

/**
 * The last block to book: whole blocks only. A single block with more than MOST_UNKNOWN unknown transfers is booked anyway,
 * alone.
 */
function lastBlock({ final }: WalletLook, since: ProvenBlock, unknown: readonly Movement[]): bigint {
  const [first, beyond] = [unknown[0], unknown[MOST_UNKNOWN]]
  const newest = final > since.number ? final : since.number
  if (!first || !beyond || beyond.blockNumber > newest) return newest
  const before = beyond.blockNumber - 1n
  return before > first.blockNumber ? before : first.blockNumber
}
