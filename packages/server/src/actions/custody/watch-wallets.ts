import type { World } from '../../ports/world.ts'
import { lookAtWallet } from './look-at-wallet.ts'
import { LOOK_EVERY_MS } from './next-look.ts'

/** From the first start, the escrow wallet is watched on every network. */
export async function openWatches(world: World): Promise<void> {
  const { escrow, rules, store, clock, log } = world
  if (!escrow) return
  const lookAt = clock.now()
  for (const { network, usdc } of rules.networks) {
    await store.transaction((tx) => tx.openWatch({ network, wallet: escrow.address, asset: usdc, lookAt }))
    const watched = (await store.watch(network))?.wallet
    if (watched !== escrow.address) {
      log.alarm('the books are of another escrow wallet', { network, watched, wallet: escrow.address })
    }
  }
}

/** Looks at the escrow wallets that are due; gives their number. Safe on any number of nodes. */
export async function watchWallets(world: World): Promise<number> {
  const { escrow, rules, store, clock, log } = world
  if (!escrow) return 0
  const networks = rules.networks.map(({ network }) => network)
  const due = await store.dueWatches(networks, escrow.address, clock.now())
  await Promise.all(
    due.map((network) =>
      lookAtWallet(world, network, escrow.address).catch((error: unknown) => {
        log.warn('a look at the escrow wallet was cut short', { network, error: String(error) })
      }),
    ),
  )
  return due.length
}

/**
 * Whether a look is running, here or on another node: during a look `lookAt` is the end of its lease, more than LOOK_EVERY_MS
 * away.
 */
export async function isLooking({ store, clock }: World): Promise<boolean> {
  const watches = await store.watches()
  return watches.some(({ lookAt }) => lookAt > clock.now() + LOOK_EVERY_MS)
}
