import { MINUTE } from '@guildhall/protocol'
import type { Watch } from '../../domain/custody/watch.ts'
import type { World } from '../../ports/world.ts'

const LOOK_AGAIN_MS = MINUTE
/** After this many failed looks in a row an operator should know. */
const MISSED_TOO_LONG = 10

/** The chain could not be read: nothing changes, and the next look starts where this one did. */
export async function noteMissedLook(world: World, watch: Watch, cause: string): Promise<void> {
  const missed = watch.missed + 1
  const lookAt = world.clock.now() + LOOK_AGAIN_MS
  // If another look has begun since, that one tells how it went.
  if (!(await world.store.transaction((tx) => tx.saveWatch({ ...watch, missed, lookAt })))) return
  const { network, provenAt } = watch
  if (missed === MISSED_TOO_LONG) {
    world.log.alarm('the escrow wallet could not be looked at for a while', { network, cause, provenAt })
  } else {
    world.log.warn('the escrow wallet could not be looked at', { network, cause })
  }
}
