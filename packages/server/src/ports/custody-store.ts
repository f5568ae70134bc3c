import type { Movement } from '../domain/custody/movement.ts'
import type { Position } from '../domain/custody/reconcile.ts'
import type { Stray } from '../domain/custody/stray.ts'
import type { Watch } from '../domain/custody/watch.ts'
import type { Instant } from '../domain/instant.ts'

export type MovementKey = Pick<Movement, 'txHash' | 'logIndex'>

export type CustodyReads = {
  watch(network: string): Promise<Watch | null>
  watches(): Promise<readonly Watch[]>
  /** Those of the networks whose wallet is to be looked at now. */
  dueWatches(networks: readonly string[], now: Instant): Promise<readonly string[]>
  /** Of these movements, the ones that belong to nothing on record. */
  unknownMovements(network: string, movements: readonly Movement[]): Promise<readonly Movement[]>
  /** What the proven movements after this block have done to the balance. */
  provenAfter(network: string, block: bigint): Promise<bigint>
  /** A block before which no transfer on record can have happened; null when there is none on record. */
  firstTransferBlock(network: string): Promise<bigint | null>
  /** Newest first; those on their way back or back already only when asked for. */
  strays(options: { readonly returned: boolean; readonly limit: number }): Promise<readonly Stray[]>
}

export type CustodyWrites = {
  /** Begins to watch a wallet, unless it is watched already. */
  openWatch(watch: Pick<Watch, 'network' | 'wallet' | 'asset' | 'lookAt'>): Promise<void>
  /** Takes the lease of a due look and counts it; null when another node holds it. */
  leaseWatch(network: string, now: Instant, until: Instant): Promise<Watch | null>
  /** False when another look has happened since. */
  saveWatch(watch: Watch): Promise<boolean>
  lockWatch(network: string): Promise<Watch | null>

  /** Marks movements as seen in blocks that stay, writing down those that are new. */
  proveMovements(network: string, movements: readonly Movement[], at: Instant): Promise<void>
  /** Nothing after this block is proven any more; gives what that had done to the balance. */
  unproveMovements(network: string, afterBlock: bigint): Promise<bigint>
  /** A movement carried out a transfer, which is in the journal or will be. */
  assignMovement(network: string, movement: MovementKey, transferId: string, booked: boolean): Promise<void>
  /** The journal has a settled transfer for a movement, and for no other. False when that is booked as a stray. */
  bookMovement(network: string, movement: Movement, transferId: string, at: Instant): Promise<boolean>
  /** The chain has taken the movement of a transfer back. */
  forgetMovement(transferId: string): Promise<void>

  bookStray(network: string, movement: Movement, strayId: string, at: Instant): Promise<void>
  lockStray(strayId: string): Promise<Stray | null>
  lockStrayAt(network: string, movement: MovementKey): Promise<Stray | null>
  /** Strays that are still owed, in a block up to this one, and not proven any more. */
  lockUnprovenStrays(network: string, upToBlock: bigint): Promise<readonly Stray[]>
  /** The chain has taken a stray back. */
  forgetStray(strayId: string): Promise<void>
  /** A stray turned out to be the payment of a transfer. */
  explainStray(strayId: string, transferId: string): Promise<void>
  returnStray(strayId: string, transferId: string): Promise<void>
  /** A stray makes up for money that is missing, and is one no more. */
  coverLoss(strayId: string): Promise<void>

  /** Journal and open movements of a network, as of one moment. */
  custodyPosition(network: string, block: bigint): Promise<Position>
}
