import { SECOND } from '@guildhall/protocol'
import type { Instant } from '../../domain/instant.ts'
import { pause } from '../../ports/timer.ts'
import type { World } from '../../ports/world.ts'
import { lookAtWallet } from './look-at-wallet.ts'
import { LOOK_EVERY_MS } from './next-look.ts'

const PATIENCE_MS = 5 * SECOND
const POLL_MS = 40

/** Whether the escrow wallet was looked at since then. If not, this looks, or waits for the look that is running elsewhere. */
export async function wasLookedAt(world: World, network: string, since: Instant): Promise<boolean> {
  const { escrow, clock, timer } = world
  if (!escrow || (await lookSince(world, network, since)) === 'done') return escrow !== null
  await lookAtWallet(world, network, escrow.address, clock.now() + LOOK_EVERY_MS)
  const until = timer.elapsed() + PATIENCE_MS
  for (;;) {
    const look = await lookSince(world, network, since)
    if (look !== 'running' || timer.elapsed() >= until) return look === 'done'
    await pause(timer, POLL_MS)
  }
}

async function lookSince({ store, clock }: World, network: string, since: Instant) {
  const watch = await store.watch(network)
  if (watch?.provenAt && watch.provenAt >= since) return 'done'
  return watch && watch.lookAt > clock.now() + LOOK_EVERY_MS ? 'running' : 'missing'
}
