import { MINUTE, SECOND } from '@guildhall/protocol'
import { hasEnded, type Transfer } from '../../domain/transfer/transfer.ts'
import type { World } from '../../ports/world.ts'

const LONGEST_WAIT = MINUTE

/** Releases the lease and schedules the next attempt; nothing was decided. */
export async function postpone(world: World, leased: Transfer, why: string): Promise<null> {
  await world.store.transaction(async (tx) => {
    const current = await tx.lockTransfer(leased.id)
    if (current?.fence !== leased.fence || hasEnded(current)) return
    await tx.saveTransfer(postponed(world, current, why))
  })
  return null
}

export const postponed = (
  world: World,
  transfer: Transfer,
  why: string | null,
  round: number = roundOf(world, transfer),
): Transfer => ({
  ...transfer,
  leaseUntil: null,
  lastError: why,
  nextAttemptAt: world.clock.now() + waitAfter(world, round),
})

/**
 * The wait grows with the attempts to settle a transfer; once it has settled, with its age, to about an eighth of it. By the clock of
 * another node that may be in the future.
 */
function roundOf({ clock }: Pick<World, 'clock'>, { attempts, settledAt }: Transfer): number {
  if (settledAt === null) return attempts
  const age = Math.max(SECOND, clock.now() - settledAt)
  return Math.max(1, Math.floor(Math.log2(age / (4 * SECOND))))
}

/** Doubles from half a second to a minute, with jitter so that many do not return at once. */
function waitAfter({ random }: Pick<World, 'random'>, round: number): number {
  const longest = Math.min(LONGEST_WAIT, (SECOND / 2) * 2 ** Math.min(round, 10))
  const [byte = 0] = random.bytes(1)
  return Math.round(longest / 2 + (longest / 2) * (byte / 255))
}
