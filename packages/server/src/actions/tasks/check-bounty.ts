import { formatUsdc, isTestnet, limits, networkById } from '@guildhall/protocol'
import { refuse, refuseField } from '../../domain/refusal.ts'
import type { Bounty } from '../../domain/task/task.ts'
import type { Rules, ServedNetwork } from '../../ports/rules.ts'
import type { World } from '../../ports/world.ts'
import { networkToPayOn } from '../money/served-network.ts'

/** Checks that a bounty can be offered; returns the network on which it would be paid. */
export function checkBounty(world: World, bounty: Bounty, escrow: boolean): ServedNetwork {
  if (world.rules.paymentsEnabled && isTestnet(bounty.network)) refuse('bounty_network_not_allowed')
  const served = networkToPayOn(world, bounty.network)
  checkAmount(world, bounty.amount, escrow, 'bounty.amount')
  if (!escrow && isEscrowOnly(bounty.network)) refuse('escrow_required')
  return served
}

export const isEscrowOnly = (network: string): boolean => networkById(network)?.escrowOnly === true

/** Checks that an amount can be a bounty; `path` is its field in the request. */
export function checkAmount(world: World, amount: bigint, escrow: boolean, path: string): void {
  const { rules } = world
  if (amount < rules.minBountyAtomic) {
    refuse('bounty_below_minimum', {
      minimum_amount: rules.minBountyAtomic.toString(),
      minimum_usdc: formatUsdc(rules.minBountyAtomic),
    })
  }
  checkLargest(world, amount, escrow, path)
}

export function checkLargest({ rules }: World, amount: bigint, escrow: boolean, path: string): void {
  const most = escrow ? mostInEscrow(rules) : limits.bounty.maxAtomic
  if (amount > most) refuseField(path, `A bounty ${escrow ? 'in escrow ' : ''}is at most ${formatUsdc(most)} USDC.`)
}

/** A deposit that the escrow key may not pay out again is not accepted. */
export const mostInEscrow = ({ maxPayoutAtomic }: Rules): bigint =>
  maxPayoutAtomic < limits.bounty.maxAtomic ? maxPayoutAtomic : limits.bounty.maxAtomic
