import type { Watch } from '../../domain/custody/watch.ts'
import type { World } from '../../ports/world.ts'
import { nextLook } from './next-look.ts'

/** After this many failed looks in a row an operator should know. */
const MISSED_TOO_LONG = 10

/** The chain could not be read: nothing changes, and the next look starts where this one did. */
export async function noteMissedLook(world: World, watch: Watch, cause: string): Promise<void> {
  const missed = watch.missed + 1
  const lookAt = nextLook(world.clock.now(), watch.network, world.rules)
  await world.store.transaction(async (tx) => {
    // If another look has begun since, that one tells how it went.
    if (await tx.saveWatch({ ...watch, missed, lookAt })) tell(world, { ...watch, missed }, cause)
  })
}

/** Before the commit: an alarm after it would be lost with the answer to it, and the next look would count on. */
function tell({ log }: World, { network, provenAt, missed }: Watch, cause: string): void {
  if (missed === MISSED_TOO_LONG) {
    log.alarm('the escrow wallet could not be looked at for a while', { network, cause, provenAt })
  } else {
    log.warn('the escrow wallet could not be looked at', { network, cause })
  }
}
