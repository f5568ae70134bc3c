import type { Movement } from '../domain/custody/movement.ts'
import type { Position } from '../domain/custody/reconcile.ts'
import type { Stray } from '../domain/custody/stray.ts'
import type { Watch } from '../domain/custody/watch.ts'
import type { Instant } from '../domain/instant.ts'
import type { Hex } from '../domain/transfer/transfer.ts'

export type MovementKey = Pick<Movement, 'txHash' | 'logIndex'>

export type CustodyReads = {
  watch(network: string): Promise<Watch | null>
  watches(): Promise<readonly Watch[]>
  /** The networks among these on which this wallet is watched, and due for a look. */
  dueWatches(networks: readonly string[], wallet: Hex, now: Instant): Promise<readonly string[]>
  /** The movements among these that match nothing on record. */
  unknownMovements(network: string, movements: readonly Movement[]): Promise<readonly Movement[]>
  /** The movements among these that are not proven. */
  unprovenMovements(network: string, movements: readonly Movement[]): Promise<readonly Movement[]>
  /** The change of the balance by the proven movements after this block. */
  provenAfter(network: string, block: bigint): Promise<bigint>
  /**
   * What the wallet must hold as of a block by the books, with what the house owes to others. Payouts that are signed, but for the
   * excepted one, may have left already.
   */
  leastHeld(network: string, block: bigint, exceptTransferId: string): Promise<bigint>
  /** No transfer on record can be in an earlier block; null when no transfer is on record. */
  firstTransferBlock(network: string): Promise<bigint | null>
  /** Newest first; with `returned`, also those that were sent back or are on their way. */
  strays(options: { readonly returned: boolean; readonly limit: number }): Promise<readonly Stray[]>
}

export type CustodyWrites = {
  /** Starts to watch a wallet, unless it is already watched. */
  openWatch(watch: Pick<Watch, 'network' | 'wallet' | 'asset' | 'lookAt'>): Promise<void>
  /** Takes the lease of a look that is due by then and raises its number; null when another node holds it. */
  leaseWatch(network: string, by: Instant, until: Instant): Promise<Watch | null>
  /** Prolongs the lease of this number; false when it no longer ends after `over`, or another look has begun. */
  renewWatch(leased: Pick<Watch, 'network' | 'fence'>, over: Instant, until: Instant): Promise<boolean>
  /** False when another look has happened since. */
  saveWatch(watch: Watch): Promise<boolean>
  lockWatch(network: string): Promise<Watch | null>

  /** Marks movements as final, and inserts those that are new. */
  proveMovements(network: string, movements: readonly Movement[], at: Instant): Promise<void>
  /** Nothing after this block counts as proven any more; returns the change of the balance by what did. */
  unproveMovements(network: string, afterBlock: bigint): Promise<bigint>
  /** Records which transfer a movement belongs to; `booked` once the transfer is in the journal. */
  assignMovement(network: string, movement: MovementKey, transferId: string, booked: boolean): Promise<void>
  /** Books the one movement of a settled transfer. False when the movement is already booked as a stray. */
  bookMovement(network: string, movement: Movement, transferId: string, at: Instant): Promise<boolean>
  /** A reorg removed the movement of a transfer. */
  forgetMovement(transferId: string): Promise<void>
  /** Booked payments up to this block that no look has seen. */
  lockUnseenPayments(network: string, upToBlock: bigint): Promise<readonly Movement[]>

  bookStray(network: string, movement: Movement, strayId: string, at: Instant): Promise<void>
  lockStray(strayId: string): Promise<Stray | null>
  lockStrayAt(network: string, movement: MovementKey): Promise<Stray | null>
  /** Strays up to this block that are still owed, but no longer proven. */
  lockUnprovenStrays(network: string, upToBlock: bigint): Promise<readonly Stray[]>
  /** A reorg removed a stray. */
  forgetStray(strayId: string): Promise<void>
  /** A stray turned out to be the payment of a transfer. */
  explainStray(strayId: string, transferId: string): Promise<void>
  /** A part of a stray turned out to be something else. */
  reduceStray(strayId: string, by: bigint): Promise<void>
  returnStray(strayId: string, transferId: string): Promise<void>
  /** A stray covers missing money, and so is no longer owed to its sender. */
  coverLoss(strayId: string): Promise<void>

  /** The journal and the open movements of a network, in one snapshot. */
  custodyPosition(network: string, block: bigint): Promise<Position>
}
