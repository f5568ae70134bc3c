import { SECOND } from '@guildhall/protocol'
import type { Instant } from '../../domain/instant.ts'
import type { Transaction } from '../../ports/store.ts'
import type { World } from '../../ports/world.ts'

/** How long work rests after the node that did it has died, or has lost the database. */
export const LEASE_MS = 15 * SECOND
const RENEW_EVERY_MS = 5 * SECOND

/**
 * Renews the lease of work that takes long, such as an attempt with a slow facilitator, until the returned function is called.
 * `renew` says whether the lease is still held.
 */
export function keepLease(world: World, renew: (tx: Transaction, now: Instant) => Promise<boolean>): () => void {
  let isOver = false
  let cancel = () => {}
  const wait = () => {
    cancel = world.timer.after(RENEW_EVERY_MS, () => void renewAgain())
  }
  const renewAgain = async () => {
    // A database that is away for a moment ends no work: whether the lease was lost, the end of the work will show.
    const isHeld = await world.store.transaction((tx) => renew(tx, world.clock.now())).catch(() => true)
    if (isHeld && !isOver) wait()
  }
  wait()
  return () => {
    isOver = true
    cancel()
  }
}
