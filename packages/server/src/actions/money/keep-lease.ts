import { SECOND } from '@guildhall/protocol'
import type { Transfer } from '../../domain/transfer/transfer.ts'
import type { World } from '../../ports/world.ts'

/** How long a transfer rests after the node that tried it has died, or has lost the database. */
export const LEASE_MS = 15 * SECOND
const RENEW_EVERY_MS = 5 * SECOND

/** Renews the lease of an attempt that takes long, such as one with a slow facilitator, until the returned function is called. */
export function keepLease(world: World, leased: Transfer): () => void {
  let isOver = false
  let cancel = () => {}
  const wait = () => {
    cancel = world.timer.after(RENEW_EVERY_MS, () => void renew())
  }
  const renew = async () => {
    const until = world.clock.now() + LEASE_MS
    // A database that is away for a moment ends no attempt: whether the lease was lost, the end of the attempt will show.
    const isHeld = await world.store.transaction((tx) => tx.renewLease(leased, until)).catch(() => true)
    if (isHeld && !isOver) wait()
  }
  wait()
  return () => {
    isOver = true
    cancel()
  }
}
