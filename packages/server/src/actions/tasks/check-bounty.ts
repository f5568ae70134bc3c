import { formatUsdc, isTestnet, limits, networkById } from '@guildhall/protocol'
import { refuse } from '../../domain/refusal.ts'
import type { Bounty } from '../../domain/task/task.ts'
import type { Rules, ServedNetwork } from '../../ports/rules.ts'
import type { World } from '../../ports/world.ts'
import { servedNetwork } from '../money/served-network.ts'

/** Whether a bounty can be offered here at all; gives the network on which it would be paid. */
export function checkBounty(world: World, bounty: Bounty, escrow: boolean): ServedNetwork {
  const { rules } = world
  if (!rules.paymentsEnabled) refuse('payments_unavailable')
  if (isTestnet(bounty.network)) refuse('bounty_network_not_allowed')
  const served = servedNetwork(rules, bounty.network)
  if (!served) refuse('bounty_unsupported_network', { networks: rules.networks.map(({ network }) => network) })
  checkAmount(world, bounty.amount, escrow, 'bounty.amount')
  if (!escrow && networkById(bounty.network)?.escrowOnly) refuse('escrow_required')
  return served
}

/** Whether an amount can be a bounty here; `path` is where the caller wrote it. */
export function checkAmount({ rules }: World, amount: bigint, escrow: boolean, path: string): void {
  if (amount < rules.minBountyAtomic) {
    refuse('bounty_below_minimum', {
      minimum_amount: rules.minBountyAtomic.toString(),
      minimum_usdc: formatUsdc(rules.minBountyAtomic),
    })
  }
  const most = escrow ? mostInEscrow(rules) : limits.bounty.maxAtomic
  if (amount > most) {
    const message = `A bounty ${escrow ? 'in escrow ' : ''}is at most ${formatUsdc(most)} USDC.`
    refuse('bad_request', { issues: [{ path, message }] }, message)
  }
}

/** What the escrow key may not sign away is not taken in. */
const mostInEscrow = ({ maxPayoutAtomic }: Rules): bigint =>
  maxPayoutAtomic < limits.bounty.maxAtomic ? maxPayoutAtomic : limits.bounty.maxAtomic
