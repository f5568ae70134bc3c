import { formatUsdc, isTestnet, limits, networkById } from '@guildhall/protocol'
import { refuse } from '../../domain/refusal.ts'
import type { Bounty } from '../../domain/task/task.ts'
import type { ServedNetwork } from '../../ports/rules.ts'
import type { World } from '../../ports/world.ts'
import { servedNetwork } from '../money/served-network.ts'

/** Whether a bounty can be offered here at all; gives the network on which it would be paid. */
export function checkBounty(world: World, bounty: Bounty, escrow: boolean): ServedNetwork {
  const { rules } = world
  if (!rules.paymentsEnabled) refuse('payments_unavailable')
  if (isTestnet(bounty.network)) refuse('bounty_network_not_allowed')
  const served = servedNetwork(rules, bounty.network)
  if (!served) refuse('bounty_unsupported_network', { networks: rules.networks.map(({ network }) => network) })
  checkAmount(world, bounty.amount, 'bounty.amount')
  if (!escrow && networkById(bounty.network)?.escrowOnly) refuse('escrow_required')
  return served
}

/** Whether an amount can be a bounty here; `path` is where the caller wrote it. */
export function checkAmount({ rules }: World, amount: bigint, path: string): void {
  if (amount < rules.minBountyAtomic) {
    refuse('bounty_below_minimum', {
      minimum_amount: rules.minBountyAtomic.toString(),
      minimum_usdc: formatUsdc(rules.minBountyAtomic),
    })
  }
  if (amount > limits.bounty.maxAtomic) {
    const message = `A bounty is at most ${formatUsdc(limits.bounty.maxAtomic)} USDC.`
    refuse('bad_request', { issues: [{ path, message }] }, message)
  }
}
